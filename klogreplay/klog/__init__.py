"""From lines to klog records, whatever dialect they are written in. The grammars stand in grammars/klog*.lark."""
