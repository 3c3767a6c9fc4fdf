#if Crypto
import HTTPTypes
import TarmacCore

extension HTTPFields {
    /// Returns the authority of a request: its Host field, which the transport sends in place of the URL's, in lower
    /// case and without the default port of the scheme (RFC 9421 §2.2.3, RFC 9110 §4.2.3).
    func authority(of url: HTTPURL) -> String {
        guard let host = last(where: { $0.name.canonicalName == "host" })?.value else { return url.authority }
        let name = host.lowercased(), port = url.isSecure ? ":443" : ":80"
        return name.hasSuffix(port) ? String(name.dropLast(port.count)) : name
    }
}
#endif
