package outside

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/rgm-go/rgm/serve/outside/processes"
)

// cluster makes server options those of a member: "NAME PORT ROUTE ROUTE…".
func cluster(o *server.Options, setting string) error {
	fields := strings.Fields(setting)
	port, err := strconv.Atoi(fields[1])
	o.ServerName = fields[0]
	o.Cluster = server.ClusterOpts{Name: "outside", Host: "127.0.0.1", Port: port}
	for _, text := range fields[2:] {
		route, routeErr := url.Parse(text)
		o.Routes, err = append(o.Routes, route), errors.Join(err, routeErr)
	}
	return err
}

// freePorts returns ports on which nothing listens. They are below those that systems give
// to connections, so that none of these takes one while its server is away: a client that
// dials a port again and again may even come to be connected with itself.
func freePorts(t *testing.T, n int) []int {
	t.Helper()
	var ports []int
	for tries := 0; len(ports) < n; tries++ {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000)))
		if err != nil {
			if tries > 1000 {
				t.Fatal(err)
			}
			continue
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// newCluster starts three NATS servers that are one, and returns their names, too.
func newCluster(t *testing.T) (*fleet, []string) {
	f := emptyFleet(t)
	ports := freePorts(t, 6)
	clientPorts, routePorts := ports[:3], ports[3:]
	var names, addresses, routes []string
	for k := range 3 {
		addresses = append(addresses, fmt.Sprintf("nats://127.0.0.1:%d", clientPorts[k]))
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", routePorts[k]))
	}
	f.address = strings.Join(addresses, ",")
	for k := range 3 {
		name, folder := fmt.Sprint("server ", k), t.TempDir()
		f.make[name] = func() *exec.Cmd {
			c := exec.Command(os.Args[0])
			c.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", natsVariable, clientPorts[k], folder),
				fmt.Sprintf("%s=n%d %d %s", clusterVariable, k, routePorts[k], strings.Join(routes, " ")))
			return c
		}
		f.start(name)
		names = append(names, name)
	}
	for begin := time.Now(); !f.hasLeader(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > 3*time.Minute {
			t.Fatal("the cluster elects no leader")
		}
	}
	return f, names
}

// hasLeader reports whether the cluster answers for its streams.
func (f *fleet) hasLeader() bool {
	c, err := nats.Connect(f.address)
	if err != nil {
		return false
	}
	defer c.Close()
	js, err := jetstream.New(c)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(f.Context(), 5*time.Second)
	defer cancel()
	_, err = js.AccountInfo(ctx)
	return err == nil
}

// TestClusterLosesNothing: of three NATS servers any one may be killed while jobs are
// submitted and solved: none is lost, none has two results, and the results are those of
// rgm solve. OUTSIDE_CLUSTER_JOBS says how many jobs, OUTSIDE_CLUSTER_KILLS how often a
// server is killed; each is away for two seconds.
func TestClusterLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("starts programs: not in short tests")
	}
	t.Parallel() // most of the time it waits for servers
	jobs, kills := processes.Number(t, "OUTSIDE_CLUSTER_JOBS", 30), processes.Number(t, "OUTSIDE_CLUSTER_KILLS", 1)
	folder := problems(t, jobs)
	want := reference(t, folder)
	f, servers := newCluster(t)
	f.addWorkers(2)
	got := t.TempDir()
	f.make["batch"] = func() *exec.Cmd {
		return exec.Command(program, slices.Concat([]string{"batch", "--nats", f.address, "--out", got}, search, []string{folder})...)
	}
	f.start("batch")
	others := []string{"worker 0", "worker 1", "batch"}
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	for killed := range kills {
		begin := time.Now()
		for f.stored("RGM_RESULTS") < (killed+1)*jobs/(kills+2) { // amid the work
			if time.Since(begin) > 5*time.Minute {
				t.Fatal("no results come")
			}
			time.Sleep(50 * time.Millisecond)
			f.revive(others)
		}
		victim := servers[rng.IntN(len(servers))]
		f.kill(victim)
		time.Sleep(2 * time.Second)
		f.start(victim)
	}
	f.finish(others, time.Duration(300+jobs/5)*time.Second)
	for k := range jobs {
		name := fmt.Sprintf("p%05d.json", k)
		if a, b := readAnswer(t, filepath.Join(want, name)), readAnswer(t, filepath.Join(got, name)); !a.equal(b) {
			t.Fatalf("%s: %+v, rgm solve has %+v", name, b, a)
		}
	}
	results, dead, copies := f.count("RGM_RESULTS"), f.count("RGM_DEAD"), f.info("RGM_RESULTS").Config.Replicas
	if results != jobs || dead != 0 || copies != 3 {
		t.Errorf("%d results and %d dead letters of %d jobs, in %d copies", results, dead, jobs, copies)
	}
	t.Logf("%d jobs, a server killed %d times: %d results in %d copies, %d dead letters", jobs, kills, results, copies, dead)
}
