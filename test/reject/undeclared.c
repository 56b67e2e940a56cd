int f(int count) {
  return cuont + count + cuont; // error: 2:10: `cuont` is not declared
}
