package dqn_test

import _ "github.com/rgm-go/rgm/research/paper" // the networks and presets that are trained here too
