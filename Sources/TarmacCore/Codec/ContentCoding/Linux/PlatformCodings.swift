#if !canImport(Darwin)
/// What can be undone where there is no Compression framework.
enum PlatformCodings {
    static let offered: [ContentCoding] = [.gzip, .deflate]

    static func makeBrotliInflater() throws(TarmacError) -> any ContentInflater {
        throw ContentCoding.brotli.damaged("this platform has no brotli decoder")
    }
}
#endif
