/// Which statuses are a success.
///
/// A 206 is the answer to a request for a part (RFC 9110 §15.3.7): to one without a Range, which somebody on the way must have
/// added, a span such as ``success`` takes it for a failure, since its body would pass for the whole. Who lists 206 or says
/// ``any`` gets it as it is, and so do streams and downloads, which look at the range themselves.
public struct AcceptableStatus: Sendable, Hashable, CustomStringConvertible {
    private let codes: Set<Int>
    /// Where the codes are without a gap, which is quicker to look up.
    private let range: ClosedRange<Int>?
    /// Whether a part is a success although none was asked for.
    let takesAnyPart: Bool
    public let description: String

    /// 200…299.
    public static let success = AcceptableStatus(200...299)
    /// Every status: the caller looks for itself.
    public static let any = AcceptableStatus(codes: Set(100...999), takesAnyPart: true, description: "any")

    /// A span; 206 only where a part was asked for.
    public init(_ range: ClosedRange<Int>) {
        self.init(codes: Set(range), takesAnyPart: range == 206...206, description: "\(range.lowerBound)…\(range.upperBound)")
    }
    /// These and no others.
    public init(_ codes: some Sequence<Int>) {
        let codes = Set(codes)
        self.init(codes: codes, takesAnyPart: codes.contains(206), description: codes.sorted().map(String.init).joined(separator: ", "))
    }
    private init(codes: Set<Int>, takesAnyPart: Bool, description: String) {
        self.codes = codes
        self.takesAnyPart = takesAnyPart
        self.description = description
        range = codes.min().flatMap { low in codes.max().flatMap { $0 - low + 1 == codes.count ? low...$0 : nil } }
    }

    /// Whether a status is a success.
    public func contains(_ status: Int) -> Bool { range?.contains(status) ?? codes.contains(status) }

    /// The same, with 206 wherever 200 is a success.
    var acceptingParts: AcceptableStatus { contains(200) && !contains(206) ? AcceptableStatus(codes.union([206])) : self }
}
