# The bonus is wrong when the number is shown: back to the line that changed it.
break ShowNumber
continue
print gGame.bonus
watch gGame.bonus
reverse-continue
backtrace
info locals
