int f(void) {
		return	missing;
}
// error: 2:10: `missing` is not declared
// The caret's line repeats the tabs.
