package main

import (
	"os"
	"strings"
)

// A promise is something that rgm keeps to, with the test that tries it.
type promise struct {
	name        string // a group and what it is about
	says        string // what is promised
	pkg, test   string // packages, and expression of their tests or the name of a fuzz target
	fuzz        bool
	flags       []string
	environment []string
	goal        int // what is to be tried
	unit        string
}

// leastInputs is how many inputs -check wants a reader to be tried on; the goal is more.
const leastInputs = 100_000

// fuzzSlice is how many inputs a run of a fuzz target tries. A count, not a time: Go's
// fuzzer can fail where its time ends.
var fuzzSlice = leastInputs

// least is what -check wants to be tried.
func (p *promise) least() int {
	if p.fuzz {
		return leastInputs
	}
	return p.goal
}

// groups are the tables of the page.
var groups = []string{"fuzz", "claims", "fault", "load", "supply"}

// atScale lengthens tests to what the page states.
var atScale = []string{"RGM_TEST_CAMPAIGN=1", "RGM_TEST_SOAK=1"}

// promises are all there are.
var promises = append([]promise{
	{name: "claims: files", says: "a file that claims 2⁶⁰ elements is refused in 10 ms and 64 MB", pkg: "./lab/campaign",
		test: "^TestClaimsAreRefused$", goal: 30, unit: "files"},
	{name: "claims: archives", says: "an archive of arrays that would inflate far beyond its length is refused before it does", pkg: "./datasets",
		test: "^(TestNPZBombIsRefusedBeforeItIsRead|TestMembersInflateTogether)$", goal: 1, unit: "tests"},
	{name: "claims: archives sent", says: "the service refuses an archive that claims a gigabyte", pkg: "./serve", test: "^TestInflatedArchive$", goal: 1, unit: "tests"},
	{name: "fault: train killed", says: "its last checkpoint can be loaded; resumed, it ends with the model and the metrics of a training that nobody killed", pkg: "./cmd/rgm",
		test: "^TestKilledTrainingResumes$", environment: []string{"RGM_KILLS=50"}, goal: 200, unit: "kills"},
	{name: "fault: solve --out killed", says: "every result there is complete and stays; --resume solves the rest", pkg: "./cmd/rgm",
		test: "^TestKilledSolveResumes$", environment: atScale, goal: 200, unit: "kills"},
	{name: "fault: batch killed", says: "server, workers or batch: every job has one result, that of rgm solve", pkg: "./cluster/outside",
		test: "^TestKilledAtRandom$", environment: []string{"OUTSIDE_JOBS=600", "OUTSIDE_KILLS=25"}, goal: 50, unit: "kills"},
	{name: "fault: serve killed", says: "and started again: every job that a client got an answer to, or sent anew with its key, is there once, with the result of rgm solve", pkg: "./cluster/outside",
		test: "^TestKilledServiceGoesOn$", environment: []string{"OUTSIDE_SERVICE_JOBS=600", "OUTSIDE_SERVICE_KILLS=50"}, goal: 50, unit: "kills"},
	{name: "fault: killed on a slow disk", says: "with 20 ms for each sync and rename, files are complete or not there", pkg: "./cmd/rgm",
		test: "^TestKilledWhileWriting$", environment: atScale, goal: 50, unit: "kills"},
	{name: "fault: report killed", says: "the same command goes on; what was measured is not measured again", pkg: "./lab/cmd/rgm-lab",
		test: "^TestKilledReportGoesOn$", goal: 1, unit: "kills"},
	{name: "fault: jobs that crash", says: "a job that ends the process of five workers is a dead letter; the jobs beside it are solved", pkg: "./cluster/jetstream",
		test: "^TestCrashes$", goal: 1, unit: "tests"},
	{name: "fault: service told to stop", says: "what runs is answered with its best, what waits in a durable queue stays, who waits is answered", pkg: "./serve ./cluster/jetstream",
		test: "^TestDrain", goal: 3, unit: "tests"},
	{name: "fault: clients that hang up", says: "their searches end, and nothing is left running", pkg: "./serve",
		test: "^(TestHangingUpCancels|TestNothingIsLeftRunning)$", goal: 2, unit: "tests"},
	{name: "fault: full disk", says: "a full tmpfs: status 1, the reason, no part of a file", pkg: "./cmd/rgm ./lab/cmd/rgm-lab",
		test: "^TestFullDisk$", environment: atScale, goal: 25, unit: "commands"},
	{name: "fault: full disk, train", says: "the checkpoint before stays, and with room again the training goes on", pkg: "./cmd/rgm",
		test: "^TestFullDiskKeepsTheCheckpoint$", goal: 1, unit: "trainings"},
	{name: "fault: read-only folder", says: "status 1, the reason, nothing written", pkg: "./cmd/rgm ./lab/cmd/rgm-lab",
		test: "^TestReadOnlyFolder$", environment: atScale, goal: 25, unit: "commands"},
	{name: "fault: full standard output", says: "results that cannot be printed are an error", pkg: "./cmd/rgm ./lab/cmd/rgm-lab",
		test: "^TestFullStandardOutput$", goal: 10, unit: "commands"},
	{name: "fault: SIGTERM", says: "every command that takes long ends by itself within 5 s (a worker with --drain 3s), with its best or a checkpoint; no part of a file", pkg: "./cmd/rgm ./cluster/cmd/rgm-cluster ./lab/cmd/rgm-lab",
		test: "^TestTerminate$", environment: atScale, goal: 60, unit: "commands"},
	{name: "fault: SIGPIPE", says: "a reader that goes away ends a command at the next line that it prints; files are complete or not there", pkg: "./cmd/rgm ./lab/cmd/rgm-lab",
		test: "^TestBrokenPipe$", goal: 11, unit: "commands"},
	{name: "load: searches at a time", says: "64 goroutines share a network under the race detector: each result is that of the search alone", pkg: "./infer",
		test: "^TestManyGoroutinesOneNetwork$", flags: []string{"-race"}, environment: atScale, goal: 3200, unit: "searches"},
	{name: "load: processors", says: "every method prints the same on 1, 2 and 4, to the last bit", pkg: "./lab/cmd/rgm-lab",
		test: "^TestSameOnAnyProcessors$", environment: atScale, goal: 200, unit: "runs"},
	{name: "load: processors, train", says: "weights and metrics are the same on 1 and 4, to the last bit", pkg: "./train/dqn",
		test: "^(TestTraining|TestTrainingOnPairs)$", goal: 2, unit: "tests"},
	{name: "load: kernels", says: "AVX-512, AVX2, baseline (SSE2 here) and Go take the same swaps", pkg: "./qap/tabu",
		test: "^(TestKernelsFollowOneTrajectory|TestCostsStayExact)$", goal: 2, unit: "tests"},
	{name: "load: kernels of annealing", says: "they and Go make the same trials, with lists and without", pkg: "./qap/anneal",
		test: "^TestKernelsAgree$", goal: 1, unit: "tests"},
	{name: "load: time limits", says: "every method and refinement of rgm ends within 20 ms and 5 % of its time limit, and within 20 ms once it is cancelled: by the processor's time, in the best of five attempts", pkg: ".",
		test: "^(TestTimeLimitsHold|TestCancelledSoon)$", goal: 40, unit: "searches"},
	{name: "load: time limits, large graphs", says: "of 1,000 nodes, of pairs of 600, of 3,600 dense vertices: every method and refinement of rgm ends within 200 ms of its limit of 40 ms, and of its cancellation", pkg: ".",
		test: "^TestLargeGraphsEndSoon$", goal: 40, unit: "searches"},
	{name: "load: large bodies", says: "200 clients send 25 and 30 MB of JSON again and again for a minute, under `ulimit -v 6000000`: the service keeps to its --memory, and answers each with its result, 429 or 503", pkg: "./serve/outside",
		test: "^TestBulk$", environment: []string{"OUTSIDE_BULK_CLIENTS=200"}, goal: 200, unit: "clients"},
	{name: "load: many solves", says: "memory grows by no more than 15 % after the first tenth", pkg: "./lab/campaign",
		test: "^TestSolvesKeepMemory$", environment: atScale, goal: 100_000, unit: "solves"},
	{name: "load: long training", says: "memory grows by no more than 15 % after the first tenth", pkg: "./lab/campaign",
		test: "^TestTrainingKeepsMemory$", environment: atScale, goal: 2000, unit: "updates"},
	{name: "supply: model operators", says: "a model with an operator, a type or a reference beyond the list is refused", pkg: "./internal/onnx",
		test: "^TestCheck", goal: 1, unit: "cases"},
	{name: "supply: names", says: "no name of an instance leads out of the folder of results", pkg: "./cli/results",
		test: "^(TestResultNames|FuzzSafeName)$", goal: 1, unit: "cases"},
	{name: "supply: links", says: "what is written in a folder stays in it; links to folders are not followed", pkg: "./internal/atomicfile",
		test: "^TestWriteInStaysInTheFolder$", goal: 1, unit: "cases"},
	{name: "supply: archives", says: "only the pinned library is taken from a package, by its checksum and length; whatever else arrives is refused", pkg: "./infer/ortlib",
		test: "^(TestInstallFrom|TestDamageIsMended|TestNothingDelivers)", goal: 1, unit: "cases"},
	{name: "supply: vulnerabilities", says: "govulncheck knows none that the program reaches", pkg: "./lab/campaign",
		test: "^TestVulnerabilities$", environment: atScale, goal: 1, unit: "runs"},
	{name: "supply: licences", says: "every module in the program has a licence on the list of free ones", pkg: "./lab/campaign",
		test: "^TestLicences$", goal: 40, unit: "modules"},
	{name: "supply: reproducible", says: "two clones in two folders, one with an empty cache, build the same program, to the last bit", pkg: "./lab/campaign",
		test: "^TestReproducibleBuild$", environment: atScale, goal: 2, unit: "builds"},
}, fuzzing()...)

// fuzzing returns the promises of the readers. Their inputs are files in memory, where it can be told: to
// replace one on a disk may take a hundred times as long as to read it.
func fuzzing() []promise {
	var environment []string
	if _, err := os.Stat("/dev/shm"); err == nil {
		environment = []string{"TMPDIR=/dev/shm"}
	}
	var list []promise
	for _, of := range []struct{ pkg, targets string }{
		{"./datasets", "DAT SLN NPY NPZ DD Matching MTX SciPy Flows"},
		{"./datasets/costs", "Read"},
		{"./datasets/graphs", "CSV EdgeList GraphML GraphArrays Pairs GEXF GML LEDA NodeLink Pajek AdjacencyList Graph6 GXL Mol"},
		{"./datasets/edited", "Read"},
		{"./distances", "Record"},
		{"./lab/published", "Annotations"},
		{"./serve", "JSON File Form Payload"},
		{"./internal/library", "Calls"},
		{"./internal/onnx", "Check"},
		{"./export", "Load"},
		{"./lab/research/learners", "Checkpoint"},
		{"./lab/research", "Load"},
		{"./train/affinity", "Checkpoint OwnCheckpoint"},
		{"./train/alignment", "Checkpoint"},
		{"./lab/research/drawn", "Checkpoint"},
		{"./cli/results", "SafeName"},
		{"./cli/graphpairs", "Table"},
	} {
		for _, target := range strings.Fields(of.targets) {
			list = append(list, promise{name: "fuzz: " + strings.TrimPrefix(of.pkg, "./") + " " + target, pkg: of.pkg, test: "Fuzz" + target,
				fuzz: true, environment: environment, goal: 1_000_000, unit: "executions"})
		}
	}
	return list
}
