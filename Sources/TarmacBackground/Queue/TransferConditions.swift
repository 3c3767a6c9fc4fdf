/// The conditions that a transfer of a ``TransferQueue`` waits for, or those that hold at a time.
public struct TransferConditions: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// There is a network. Every transfer waits for one.
    public static let network = Self(rawValue: 1 << 0)
    /// The network is neither expensive, such as a cellular one or a personal hotspot, nor in Low Data Mode: mostly Wi-Fi.
    public static let unmetered = Self(rawValue: 1 << 1)
    /// The device has external power.
    public static let power = Self(rawValue: 1 << 2)

    /// The conditions that a background session waits for by itself.
    static let ofNetwork: Self = [.network, .unmetered]
    static let all: Self = [.network, .unmetered, .power]
}
