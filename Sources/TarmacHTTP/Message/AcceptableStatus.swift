/// The status codes that count as success.
///
/// A 206 answers a request for a part of a resource (RFC 9110 §15.3.7). If the request had no Range field, an intermediary must have added one. A
/// range of codes such as ``success`` then treats the 206 as a failure, because its body would pass for the whole. A list that contains 206 and
/// ``any`` accept it.
public struct AcceptableStatus: Sendable, Hashable, CustomStringConvertible {
    private let codes: Set<Int>
    /// The codes as a range if they have no gap. A lookup in it is faster.
    private let range: ClosedRange<Int>?
    /// Whether a 206 is a success although the request asked for no part.
    package let takesAnyPart: Bool
    public let description: String

    /// The codes 200 to 299.
    public static let success = AcceptableStatus(200...299)
    /// Every status. The caller checks the status itself.
    public static let any = AcceptableStatus(codes: Set(100...999), takesAnyPart: true, description: "any")

    /// Accepts exactly the given codes. Of a range, 206 is a success only if the request asked for a part.
    public init(_ codes: some Sequence<Int>) {
        let set = Set(codes)
        if let range = codes as? ClosedRange<Int> {
            self.init(codes: set, takesAnyPart: range == 206...206, description: "\(range.lowerBound)…\(range.upperBound)")
        } else {
            self.init(codes: set, takesAnyPart: set.contains(206), description: set.sorted().map(String.init).joined(separator: ", "))
        }
    }
    private init(codes: Set<Int>, takesAnyPart: Bool, description: String) {
        self.codes = codes
        self.takesAnyPart = takesAnyPart
        self.description = description
        range = codes.min().flatMap { low in codes.max().flatMap { $0 - low + 1 == codes.count ? low...$0 : nil } }
    }

    /// Whether a status is a success.
    package func contains(_ status: Int) -> Bool { range?.contains(status) ?? codes.contains(status) }

    /// The same codes, with 206 if 200 is a success.
    package var acceptingParts: AcceptableStatus { contains(200) && !contains(206) ? adding(206) : self }

    package func adding(_ more: Int...) -> AcceptableStatus { AcceptableStatus(codes.union(more)) }
}
