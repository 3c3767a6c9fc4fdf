import Foundation
import TarmacCore

/// Writes a URL for Foundation.
///
/// Tarmac keeps `[` and `]` in path and query as they are written, which RFC 3986 reserves for hosts. Foundation
/// would encode them, and with them every percent sign of the URL once more. So they are encoded here, which has
/// the same meaning, and Foundation has nothing left to change.
enum SessionURL {
    /// - Throws: `TarmacError(.invalidURL)` if Foundation would change the URL nevertheless.
    static func url(_ url: HTTPURL) throws(TarmacError) -> URL {
        let text = text(url)
        guard let result = URL(string: text), result.absoluteString == text else {
            throw TarmacError(.invalidURL, "Foundation cannot take the URL \(url) as it is")
        }
        return result
    }

    static func text(_ url: HTTPURL) -> String {
        let target = url.requestTarget.utf8
        if target.allSatisfy(isTarget) { return url.string }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(target.count + 16)
        for byte in target { if isTarget(byte) { bytes.append(byte) } else { PercentEncoding.append(byte, to: &bytes) } }
        return "\(url.scheme)://\(url.authority)" + String(decoding: bytes, as: UTF8.self)
    }

    /// Whether RFC 3986 §3.3 and §3.4 allow a byte in path and query.
    private static func isTarget(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:@/?%".utf8.contains(byte)
    }
}
