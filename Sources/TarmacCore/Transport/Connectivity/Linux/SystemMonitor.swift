#if !canImport(Darwin)
extension ConnectivityMonitor where Self == ProbingMonitor {
    /// Linux tells whether there is an interface, not whether it leads anywhere: see ``ProbingMonitor``.
    public static var system: ProbingMonitor { ProbingMonitor() }
}
#endif
