-- Every turn writes here before it writes anything else: those under way end first, the others wait for the deletion.
LOCK TABLE instance IN SHARE ROW EXCLUSIVE MODE
