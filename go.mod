module github.com/rgm-go/rgm

go 1.25.0
