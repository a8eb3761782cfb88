"""klog."""
