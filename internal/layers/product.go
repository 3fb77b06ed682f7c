package layers

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/rgm-go/rgm/internal/product"
)

// gonum starts goroutines for a product whose result has four blocks of 64×64 or
// more. Passes run in parallel already, so a product is done in panels below that.
const panelRows, panelCols = 64, 128

// MatrixProduct is c ← alpha·a·b + keep·c, with aᵀ or bᵀ where tA or tB say so.
func MatrixProduct(tA, tB blas.Transpose, alpha float32, a, b blas32.General, keep float32, c blas32.General) {
	if lanes := product.Fastest(); lanes > 0 && tB == blas.NoTrans {
		add(lanes, tA != blas.NoTrans, alpha, a, b, keep, c)
		return
	}
	if wholeProducts {
		blas32.Gemm(tA, tB, alpha, a, b, keep, c)
		return
	}
	for row := 0; row < c.Rows; row += panelRows {
		rows := min(panelRows, c.Rows-row)
		left := outerPanel(a, tA == blas.NoTrans, row, rows)
		for col := 0; col < c.Cols; col += panelCols {
			cols := min(panelCols, c.Cols-col)
			right := outerPanel(b, tB == blas.Trans, col, cols)
			blas32.Gemm(tA, tB, alpha, left, right, keep, panel(c, row, rows, col, cols))
		}
	}
}

// add does by C what MatrixProduct does.
func add(lanes int, transposed bool, alpha float32, a, b blas32.General, keep float32, c blas32.General) {
	if keep != 1 {
		for i := range c.Rows {
			row := c.Data[i*c.Stride:][:c.Cols]
			if keep == 0 {
				clear(row)
			} else {
				Scale(row, keep)
			}
		}
	}
	inner, row, step := a.Cols, a.Stride, 1
	if transposed {
		inner, row, step = a.Rows, 1, a.Stride
	}
	product.Add(lanes, c.Rows, c.Cols, inner, alpha, a.Data, row, step, b.Data, b.Stride, c.Data, c.Stride)
}

// outerPanel is the part of a factor that gives count rows or columns of the
// product: rows of the factor where byRows, otherwise columns.
func outerPanel(m blas32.General, byRows bool, from, count int) blas32.General {
	if byRows {
		return panel(m, from, count, 0, m.Cols)
	}
	return panel(m, 0, m.Rows, from, count)
}

func panel(m blas32.General, row, rows, col, cols int) blas32.General {
	m.Data = m.Data[row*m.Stride+col:]
	m.Rows, m.Cols = rows, cols
	return m
}
