module github.com/rgm-go/rgm/examples/embed

go 1.25.0

require github.com/rgm-go/rgm v0.0.0

require (
	github.com/pelletier/go-toml/v2 v2.4.3 // indirect
	github.com/yalue/onnxruntime_go v1.35.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/rgm-go/rgm => ../..
