/// The version of HTTP.
public struct ProtocolVersion: Hashable, Sendable, CustomStringConvertible {
    package let major: Int
    package let minor: Int
    package init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }
    public static let http1_0 = ProtocolVersion(major: 1, minor: 0)
    public static let http1_1 = ProtocolVersion(major: 1, minor: 1)
    public static let http2 = ProtocolVersion(major: 2, minor: 0)
    public static let http3 = ProtocolVersion(major: 3, minor: 0)
    public var description: String { major >= 2 ? "HTTP/\(major)" : "HTTP/\(major).\(minor)" }
}
