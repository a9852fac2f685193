"""UMI: the protocol of docs/umi.md, through which programs in any language play."""
