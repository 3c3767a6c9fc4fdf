import TarmacCore

/// Decodes one line in the charset of its response.
enum LineText {
    static func decode(_ line: Bytes, _ charset: String?) throws(TarmacError) -> String {
        guard let charset, charset != "utf-8", charset != "utf8", charset != "us-ascii" else {
            return line.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        // Their lines do not end with the byte LF.
        guard !charset.hasPrefix("utf-16"), !charset.hasPrefix("utf-32"), !charset.hasPrefix("ucs") else {
            throw TarmacError(
                .decodingFailed, phase: .decoding, "a body in \(charset) cannot be read line by line",
                suggestion: "read it as a whole, or have it sent in UTF-8")
        }
        return try TextDecoder.decode(line, charset: charset)
    }
}
