// Stand-in of the script of this name.
const ACTION_CLEAR = 1;
