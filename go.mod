module github.com/rgm-go/rgm

go 1.25.0

require (
	github.com/sbinet/npyio v0.9.0
	gonum.org/v1/gonum v0.17.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/campoy/embedmd v1.0.0 // indirect
	github.com/nlpodyssey/gopickle v0.3.0 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	github.com/yalue/onnxruntime_go v1.35.0 // indirect
	golang.org/x/text v0.23.0 // indirect
)
