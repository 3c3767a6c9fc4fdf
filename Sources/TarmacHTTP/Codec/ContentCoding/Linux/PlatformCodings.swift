#if !canImport(Darwin)
/// The codings that can be decoded without the Compression framework.
enum PlatformCodings {
    static let offered: [ContentCoding] = [.gzip, .deflate]

    static func makeBrotliInflater() throws(TarmacError) -> any ContentInflater {
        throw ContentCoding.brotli.damaged("this platform has no brotli decoder")
    }
}
#endif
