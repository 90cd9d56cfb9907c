package io.jsrpt.store;

import java.util.List;

/** Told, once, which parts of a store are mapped; must not block. */
public interface ExtentCompletion {
    /** One after the other without a gap, the first beginning where it was asked for; at least one. */
    void found(List<Extent> extents);

    /** It could not be found out. */
    void failed(Throwable cause);
}
