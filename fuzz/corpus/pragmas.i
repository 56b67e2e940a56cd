#pragma GCC push_options
#pragma GCC target("avx2")
int f(void)
{
#pragma omp parallel for
  for (int i = 0; i < 3; i++)
#pragma GCC unroll 4
    for (int j = 0; j < 3; j++) ;
  return 0;
#pragma STDC FP_CONTRACT ON
}
#pragma GCC pop_options
#pragma weak f
