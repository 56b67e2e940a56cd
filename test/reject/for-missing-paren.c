void f(int n) {
  for (n = 0; n < 3; n++ {     // error: 2:26: expected `)` after the heading of `for`, found `{`
  }
}
