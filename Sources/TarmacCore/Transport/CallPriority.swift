/// The order in which calls that wait for a dispatch slot receive one.
public enum CallPriority: Int, Sendable, CaseIterable, Comparable {
    case low, normal, high
    public static func < (left: CallPriority, right: CallPriority) -> Bool { left.rawValue < right.rawValue }
}
