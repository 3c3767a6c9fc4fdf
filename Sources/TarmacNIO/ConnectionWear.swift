#if NIO
import NIOCore
import TarmacCore

/// Decides when a connection takes no further request (pure).
struct ConnectionWear {
    private let maximumUses: Int
    private(set) var lifetime: TimeAmount?

    init(_ settings: ConnectionSettings = ConnectionSettings()) {
        maximumUses = settings.usesPerConnection ?? .max
        lifetime = settings.connectionLifetime.map { TimeAmount($0) }
    }

    /// The limits of one connection: connections that were opened together end at different times.
    var ofOne: Self { lifetime == nil ? self : shortened(by: .random(in: 0...100)) }

    /// - Parameter share: the part of the lifetime that is taken away, in thousandths.
    func shortened(by share: Int64) -> Self {
        var wear = self
        wear.lifetime = lifetime.map { .nanoseconds($0.nanoseconds - $0.nanoseconds / 1_000 * share) }
        return wear
    }

    /// - Parameter uses: the number of requests that the connection has carried.
    func isWorn(uses: Int, age: TimeAmount) -> Bool { uses >= maximumUses || lifetime.map { age >= $0 } ?? false }

    /// Whether a connection can be worn at all.
    var isLimited: Bool { maximumUses < .max || lifetime != nil }
}
#endif
