#if Inspector
extension Inspector {
    /// The addresses at which an inspector is reachable.
    public struct Listening: Sendable, Hashable, CustomStringConvertible {
        /// Why other machines may reach it. `nil` for this machine alone.
        let reason: String?

        /// `127.0.0.1`: this machine alone.
        public static let loopback = Listening(reason: nil)

        /// All addresses of this machine, over plain HTTP: everyone on the network who sees the URL or the traffic reads all calls and can
        /// send them again. The page shows the reason in red.
        public static func allInterfaces(because reason: String) -> Listening { Listening(reason: reason) }

        public var description: String { reason.map { "all interfaces, because: \($0)" } ?? "loopback" }
    }
}
#endif
