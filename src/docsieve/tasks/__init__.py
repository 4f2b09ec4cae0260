"""What runs in sandboxed children: one module per task, with its inputs, its result and the work itself.

API and worker processes import this package for the inputs and results only. Modules that do the work are imported by
`perform`: together they would cost every start of such a process 200 ms of processor time.
"""
