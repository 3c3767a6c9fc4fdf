#if NIO
package import NIOCore

/// Certificates that could not be used (pure). They may be written only in part, not be valid yet, or be unreadable for a moment, so they
/// are tried again after pauses that grow.
package struct RefusedMaterial<Material: Equatable> {
    private let material: Material
    private var pause: TimeAmount
    private var next: NIODeadline

    package static var shortestPause: TimeAmount { .milliseconds(500) }
    package static var longestPause: TimeAmount { .seconds(30) }

    package init(_ material: Material, _ now: NIODeadline) {
        self.material = material
        pause = Self.shortestPause
        next = now + pause
    }

    /// Whether these certificates are not to be tried now.
    package func holds(_ material: Material, _ now: NIODeadline) -> Bool { self.material == material && now < next }

    /// Notes that the same certificates were refused once more. Returns `false` for other ones.
    package mutating func waitsLonger(for material: Material, _ now: NIODeadline) -> Bool {
        guard self.material == material else { return false }
        pause = min(pause * 2, Self.longestPause)
        next = now + pause
        return true
    }
}
#endif
