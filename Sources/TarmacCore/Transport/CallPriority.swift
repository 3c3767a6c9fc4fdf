/// Who goes first when calls wait for a dispatch slot.
public enum CallPriority: Int, Sendable, CaseIterable, Comparable {
    case low, normal, high
    public static func < (left: CallPriority, right: CallPriority) -> Bool { left.rawValue < right.rawValue }
}
