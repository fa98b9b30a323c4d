"""The laboratory: experiments on the theory of alpha-beta, declared as data, run on all cores or a
cluster, stopped and resumed at will."""
