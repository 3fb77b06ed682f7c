package serve

import (
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// metrics are what a service counts; docs/OPERATING.md lists them.
type metrics struct {
	registry       *prometheus.Registry
	requests       *prometheus.CounterVec
	requestSeconds *prometheus.HistogramVec
	running        prometheus.Gauge
	queueSeconds   prometheus.Histogram
	firstIncumbent prometheus.Histogram
	solveSeconds   prometheus.Histogram
	steps          prometheus.Counter
	evaluations    prometheus.Counter
	failures       *prometheus.CounterVec
}

// newMetrics returns metrics of their own registry.
func newMetrics(version string) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "rgm_requests_total", Help: "Requests by route, method and status.",
		}, []string{"route", "method", "code"}),
		requestSeconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "rgm_request_seconds", Help: "Time to the end of the answer.", Buckets: timeBuckets,
		}, []string{"route"}),
		running:        gauge("rgm_jobs_running", "Jobs that are being solved."),
		queueSeconds:   histogram("rgm_queue_seconds", "Time that jobs waited for a worker."),
		firstIncumbent: histogram("rgm_first_incumbent_seconds", "Time to the first matching of a search."),
		solveSeconds:   histogram("rgm_solve_seconds", "Wall clock of searches, without loading."),
		steps:          counter("rgm_steps_total", "Steps of all searches."),
		evaluations:    counter("rgm_evaluations_total", "Evaluations of networks."),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "rgm_failures_total", Help: "Requests and jobs that failed, by reason.",
		}, []string{"reason"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "rgm_build_info", Help: "The version, as labels.",
		ConstLabels: prometheus.Labels{"version": version, "go": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(m.requests, m.requestSeconds, m.running, m.queueSeconds, m.firstIncumbent, m.solveSeconds,
		m.steps, m.evaluations, m.failures, build, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// timeBuckets are from a millisecond to the greatest time limit and a little more.
var timeBuckets = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120}

func gauge(name, help string) prometheus.Gauge {
	return prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
}

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
}

func histogram(name, help string) prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: timeBuckets})
}

// watchQueue adds the length of the queue, asked for when the metrics are.
func (m *metrics) watchQueue(waiting func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "rgm_queue_length", Help: "Jobs that wait for a worker.",
	}, waiting))
}
