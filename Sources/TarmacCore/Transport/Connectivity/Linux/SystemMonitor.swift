#if !canImport(Darwin)
extension ConnectivityMonitor where Self == ProbingMonitor {
    /// A monitor that does not know the state: Linux reports interfaces, but not whether they lead to a
    /// network. See ``ProbingMonitor``.
    public static var system: ProbingMonitor { ProbingMonitor() }
}
#endif
