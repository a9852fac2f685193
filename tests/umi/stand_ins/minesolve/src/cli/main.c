/* Stand-in of the command. */
int main(void) { return 0; }
