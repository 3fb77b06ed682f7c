package train_test

import _ "github.com/rgm-go/rgm/research/paper" // networks that see K_reg
