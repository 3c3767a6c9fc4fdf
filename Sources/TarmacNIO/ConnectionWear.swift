#if NIO
import NIOCore
import TarmacCore

/// Decides when a connection takes no further request (pure).
struct ConnectionWear {
    private let maximumUses: Int
    let lifetime: TimeAmount?

    init(_ settings: ConnectionSettings = ConnectionSettings()) {
        maximumUses = settings.usesPerConnection ?? .max
        lifetime = settings.connectionLifetime.map { TimeAmount($0) }
    }

    /// - Parameter uses: the number of requests that the connection has carried.
    func isWorn(uses: Int, age: TimeAmount) -> Bool { uses >= maximumUses || lifetime.map { age >= $0 } ?? false }

    /// Whether a connection can be worn at all.
    var isLimited: Bool { maximumUses < .max || lifetime != nil }
}
#endif
