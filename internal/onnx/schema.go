package onnx

import "google.golang.org/protobuf/encoding/protowire"

// The fields of the messages, numbered as in onnx.proto of ONNX 1.12
// (https://github.com/onnx/onnx/blob/v1.12.0/onnx/onnx.proto).
const (
	modelIRVersion       = 1
	modelProducer        = 2
	modelProducerVersion = 3
	modelGraph           = 7
	modelOpset           = 8
	modelMetadata        = 14

	opsetDomain  = 1
	opsetVersion = 2

	entryKey   = 1
	entryValue = 2

	graphNode        = 1
	graphName        = 2
	graphInitializer = 5
	graphInput       = 11
	graphOutput      = 12

	nodeInput     = 1
	nodeOutput    = 2
	nodeName      = 3
	nodeOp        = 4
	nodeAttribute = 5
	nodeDomain    = 7

	attributeName   = 1
	attributeFloat  = 2
	attributeInt    = 3
	attributeString = 4
	attributeTensor = 5
	attributeInts   = 8
	attributeType   = 20

	tensorDims     = 1
	tensorType     = 2
	tensorName     = 8
	tensorRaw      = 9
	tensorLocation = 14 // 0: in the tensor

	valueName = 1
	valueType = 2

	typeTensor = 1

	tensorTypeElement = 1
	tensorTypeShape   = 2

	shapeDim = 1

	dimSize = 1
	dimName = 2
)

// AttributeProto.AttributeType.
const (
	attributeIsFloat  = 1
	attributeIsInt    = 2
	attributeIsString = 3
	attributeIsTensor = 4
	attributeIsInts   = 7
)

// A kind of field says how its bytes are read.
type kind int

const (
	refused kind = iota // so that {name: …} refuses
	integer             // varint
	real                // 32 bits
	text                // UTF-8
	blob                // bytes or a message
)

// wire returns the wire type of a kind of field.
func (k kind) wire() protowire.Type {
	switch k {
	case integer:
		return protowire.VarintType
	case real:
		return protowire.Fixed32Type
	}
	return protowire.BytesType
}

// A rule says how one field of a message is read.
type rule struct {
	name string // as onnx.proto has it, or what is refused, in words
	kind kind
	list bool // may occur more than once
}

// A schema has the rules of a message by field number; a field without a rule is
// refused.
type schema map[protowire.Number]rule

var (
	modelSchema = schema{
		modelIRVersion:       {"ir_version", integer, false},
		modelProducer:        {"producer_name", text, false},
		modelProducerVersion: {"producer_version", text, false},
		modelGraph:           {"graph", blob, false},
		modelOpset:           {"opset_import", blob, true},
		modelMetadata:        {"metadata_props", blob, true},
		6:                    {name: "a doc_string"},
		20:                   {name: "training information"},
		25:                   {name: "a function"},
	}
	opsetSchema = schema{
		opsetDomain:  {"domain", text, false},
		opsetVersion: {"version", integer, false},
	}
	entrySchema = schema{
		entryKey:   {"key", text, false},
		entryValue: {"value", text, false},
	}
	graphSchema = schema{
		graphNode:        {"node", blob, true},
		graphName:        {"name", text, false},
		graphInitializer: {"initializer", blob, true},
		graphInput:       {"input", blob, true},
		graphOutput:      {"output", blob, true},
		10:               {name: "a doc_string"},
		13:               {name: "value_info"},
		14:               {name: "a quantization annotation"},
		15:               {name: "a sparse initializer"},
	}
	nodeSchema = schema{
		nodeInput:     {"input", text, true},
		nodeOutput:    {"output", text, true},
		nodeName:      {"name", text, false},
		nodeOp:        {"op_type", text, false},
		nodeAttribute: {"attribute", blob, true},
		nodeDomain:    {"domain", text, false},
		6:             {name: "a doc_string"},
	}
	attributeSchema = schema{
		attributeName:   {"name", text, false},
		attributeFloat:  {"f", real, false},
		attributeInt:    {"i", integer, false},
		attributeString: {"s", text, false},
		attributeTensor: {"t", blob, false},
		attributeInts:   {"ints", integer, true},
		attributeType:   {"type", integer, false},
		13:              {name: "a doc_string"},
		6:               {name: "a subgraph"},
		7:               {name: "a list of floats"},
		9:               {name: "a list of strings"},
		10:              {name: "a list of tensors"},
		11:              {name: "a list of subgraphs"},
		21:              {name: "a reference to a function's attribute"},
		22:              {name: "a sparse tensor"},
		23:              {name: "a list of sparse tensors"},
	}
	tensorSchema = schema{
		tensorDims:     {"dims", integer, true},
		tensorType:     {"data_type", integer, false},
		tensorName:     {"name", text, false},
		tensorRaw:      {"raw_data", blob, false},
		3:              {name: "a segment"},
		4:              {name: "float_data (write raw_data)"},
		7:              {name: "int64_data (write raw_data)"},
		13:             {name: "external data"},
		tensorLocation: {"data_location", integer, false},
		12:             {name: "a doc_string"},
	}
	valueSchema = schema{
		valueName: {"name", text, false},
		valueType: {"type", blob, false},
		3:         {name: "a doc_string"},
	}
	typeSchema = schema{
		typeTensor: {"tensor_type", blob, false},
		4:          {name: "a sequence"},
		5:          {name: "a map"},
		8:          {name: "a sparse tensor"},
		9:          {name: "an optional"},
	}
	tensorTypeSchema = schema{
		tensorTypeElement: {"elem_type", integer, false},
		tensorTypeShape:   {"shape", blob, false},
	}
	shapeSchema = schema{
		shapeDim: {"dim", blob, true},
	}
	dimSchema = schema{
		dimSize: {"dim_value", integer, false},
		dimName: {"dim_param", text, false},
	}
)
