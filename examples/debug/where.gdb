backtrace
info locals
