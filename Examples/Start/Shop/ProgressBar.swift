import Foundation

/// A bar that remembers how far a transfer is. Transfers report from any thread.
// SAFETY: `lock` guards `fraction`.
public final class ProgressBar: @unchecked Sendable {
    private let lock = NSLock()
    private var fraction = 0.0

    public init() {}
    public var percent: Int { lock.withLock { Int(fraction * 100) } }
    public func show(_ fraction: Double) { lock.withLock { self.fraction = fraction } }
}
