#if !Inspector
/// The page of TarmacInspector, which needs the trait Inspector.
@available(*, unavailable, message: "enable the trait Inspector of the package tarmac")
public final class Inspector {}

/// The faults that the page of TarmacInspector sets, which need the trait Inspector.
@available(*, unavailable, message: "enable the trait Inspector of the package tarmac")
public final class FaultControls {}

/// The hosts that the page of TarmacInspector sets, which need the trait Inspector.
@available(*, unavailable, message: "enable the trait Inspector of the package tarmac")
public final class HostControls {}
#endif
