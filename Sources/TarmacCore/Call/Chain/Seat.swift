/// A place in the chain.
///
/// A request passes the zones in their order. Within a zone, the stage with the lower order runs first.
public struct Seat: Hashable, Comparable, Sendable {
    /// A part of the chain between two stages of the kernel.
    public enum Zone: Int, Sendable, Comparable, CaseIterable {
        /// Around the whole call, inside the user's ``Options/interceptors``. Redirects are followed below.
        case call
        /// Where a stage can respond without sending a request, as a cache does. Each redirect passes it again.
        case answering
        /// Where a request can be sent again.
        case repeating
        /// Between the user's ``Options/attemptInterceptors`` and the verdict. Waiting here holds no dispatch slot.
        case authenticating
        /// Below the dispatch slot, above the header fields and credentials of the service.
        case preparing
        /// Below the header fields and credentials of the service, and above content coding.
        case sealing
        /// Below content coding, where the body has the bytes of the wire.
        case signing

        public static func < (left: Zone, right: Zone) -> Bool { left.rawValue < right.rawValue }
    }

    public let zone: Zone
    /// The place among the stages of the zone.
    public let order: Int

    public init(_ zone: Zone, order: Int = 0) {
        self.zone = zone
        self.order = order
    }

    public static func < (left: Seat, right: Seat) -> Bool { (left.zone.rawValue, left.order) < (right.zone.rawValue, right.order) }
}

/// A stage and its place in the chain.
public struct SeatedStage: Sendable {
    public let seat: Seat
    public let stage: any Interceptor

    public init(_ seat: Seat, _ stage: any Interceptor) {
        (self.seat, self.stage) = (seat, stage)
    }
}
