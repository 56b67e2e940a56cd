int \u00e9t\u00e9 = 1, naïve; int f(void) { return \u00e9t\u00e9 + naïve; }
