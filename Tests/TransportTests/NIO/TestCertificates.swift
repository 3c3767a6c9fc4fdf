#if NIO
import NIOSSL
import Tarmac
import TarmacCore
import TarmacSupport

/// A root and certificates signed by it, valid until 2120 unless they say otherwise; made for these tests with OpenSSL.
enum TestCertificates {
    static let root = """
        -----BEGIN CERTIFICATE-----
        MIIBfTCCASKgAwIBAgIUcBSKIWWH0a/MJ0jtykEhqLpXZPAwCgYIKoZIzj0EAwIw
        GzEZMBcGA1UEAwwQVGFybWFjIFRlc3QgUm9vdDAgFw0yMDAxMDEwMDAwMDBaGA8y
        MTIwMDEwMTAwMDAwMFowGzEZMBcGA1UEAwwQVGFybWFjIFRlc3QgUm9vdDBZMBMG
        ByqGSM49AgEGCCqGSM49AwEHA0IABFGHuR8FGktC3vyjVu98V2xOKwaTfx2YKNu0
        k8W/WYtUOJIZZvNqQj0zOE3QbqXlCqGLoHsdOXuTcOHPZ+n3Rv+jQjBAMA8GA1Ud
        EwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMB0GA1UdDgQWBBQ598WoNtrA0SDy
        Hi73WNFFeXbkwTAKBggqhkjOPQQDAgNJADBGAiEAqLvbX7W5nmdtt2bPNixT315a
        Mx71lvNmUK3Ce8rNZn8CIQDo9PgWwy16zU1zvUJvR/lCAhy5QGyga82xFa57H3B7
        Vw==
        -----END CERTIFICATE-----
        """

    /// The private key of all three certificates below.
    static let key = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIHguhwWiJNSkdN2Oq8bQnjrkRw+m30IXlw9yfoSedZFLoAoGCCqGSM49
        AwEHoUQDQgAEHrBSc7kkvI+86e1FRihU75PCsFWWMHFPbJ1EyPrYFKG6j8gI9i9q
        k+AGqjZ0/DogtjSY+5VxZzNiX92hbU7M3A==
        -----END EC PRIVATE KEY-----
        """

    /// For `localhost` and 127.0.0.1.
    static let localhost = """
        -----BEGIN CERTIFICATE-----
        MIIBvTCCAWOgAwIBAgIUIR8n90f5oAYU63AiXMWa5MDgKsYwCgYIKoZIzj0EAwIw
        GzEZMBcGA1UEAwwQVGFybWFjIFRlc3QgUm9vdDAgFw0yMDAxMDEwMDAwMDBaGA8y
        MTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0C
        AQYIKoZIzj0DAQcDQgAEHrBSc7kkvI+86e1FRihU75PCsFWWMHFPbJ1EyPrYFKG6
        j8gI9i9qk+AGqjZ0/DogtjSY+5VxZzNiX92hbU7M3KOBiTCBhjAaBgNVHREEEzAR
        gglsb2NhbGhvc3SHBH8AAAEwCQYDVR0TBAIwADAdBgNVHSUEFjAUBggrBgEFBQcD
        AQYIKwYBBQUHAwIwHQYDVR0OBBYEFEegJNPWeEb9cFygd8Eg3yjE9kW3MB8GA1Ud
        IwQYMBaAFDn3xag22sDRIPIeLvdY0UV5duTBMAoGCCqGSM49BAMCA0gAMEUCIGBi
        j9dGxqZ2XuGIMz+zohi1gyW/wB8uqp/AiCQbtSvYAiEAphDwTsrWLwRVgFYD/zu6
        Frb3mYxHMtbTZzRq64CSAig=
        -----END CERTIFICATE-----
        """

    /// For `localhost`, until 2021.
    static let expired = """
        -----BEGIN CERTIFICATE-----
        MIIBuTCCAV+gAwIBAgIUQhydUtOlpTUwwbPPncr/E2S7TOIwCgYIKoZIzj0EAwIw
        GzEZMBcGA1UEAwwQVGFybWFjIFRlc3QgUm9vdDAeFw0yMDAxMDEwMDAwMDBaFw0y
        MTAxMDEwMDAwMDBaMBIxEDAOBgNVBAMMB2V4cGlyZWQwWTATBgcqhkjOPQIBBggq
        hkjOPQMBBwNCAAQesFJzuSS8j7zp7UVGKFTvk8KwVZYwcU9snUTI+tgUobqPyAj2
        L2qT4AaqNnT8OiC2NJj7lXFnM2Jf3aFtTszco4GJMIGGMBoGA1UdEQQTMBGCCWxv
        Y2FsaG9zdIcEfwAAATAJBgNVHRMEAjAAMB0GA1UdJQQWMBQGCCsGAQUFBwMBBggr
        BgEFBQcDAjAdBgNVHQ4EFgQUR6Ak09Z4Rv1wXKB3wSDfKMT2RbcwHwYDVR0jBBgw
        FoAUOffFqDbawNEg8h4u91jRRXl25MEwCgYIKoZIzj0EAwIDSAAwRQIgOh3wpk/Z
        tyZTDd+PXxdz/gzVd6Ld3nFC/gEmXRixb2sCIQCXctDQWXZsH1JA1UYFeXMMlWvb
        25sSK5EFjqFc5VSnsg==
        -----END CERTIFICATE-----
        """

    /// For `other.example`.
    static let other = """
        -----BEGIN CERTIFICATE-----
        MIIBtjCCAV2gAwIBAgIUP+k1P3R6R0+es0FGiEh7UfhiV+wwCgYIKoZIzj0EAwIw
        GzEZMBcGA1UEAwwQVGFybWFjIFRlc3QgUm9vdDAgFw0yMDAxMDEwMDAwMDBaGA8y
        MTIwMDEwMTAwMDAwMFowEDEOMAwGA1UEAwwFb3RoZXIwWTATBgcqhkjOPQIBBggq
        hkjOPQMBBwNCAAQesFJzuSS8j7zp7UVGKFTvk8KwVZYwcU9snUTI+tgUobqPyAj2
        L2qT4AaqNnT8OiC2NJj7lXFnM2Jf3aFtTszco4GHMIGEMBgGA1UdEQQRMA+CDW90
        aGVyLmV4YW1wbGUwCQYDVR0TBAIwADAdBgNVHSUEFjAUBggrBgEFBQcDAQYIKwYB
        BQUHAwIwHQYDVR0OBBYEFEegJNPWeEb9cFygd8Eg3yjE9kW3MB8GA1UdIwQYMBaA
        FDn3xag22sDRIPIeLvdY0UV5duTBMAoGCCqGSM49BAMCA0cAMEQCIBdFeE7VVNm7
        Cdrd2/46cE6u9hUFmBJPDbJI/Pf3ByqBAiALOVYc7ae+OjBMmNH7FlR4qqGy6qJ5
        750cEiG/MKrW2g==
        -----END CERTIFICATE-----
        """

    /// A server's configuration that shows one of the certificates.
    static func server(_ certificate: String, requiresClientCertificate: Bool = false) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
        if requiresClientCertificate {
            tls.certificateVerification = .noHostnameVerification
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(root.utf8)))
        }
        return tls
    }

    /// Writes text to a file of its own for the length of `body`.
    static func withFile<Result>(_ text: String, _ body: (String) async throws -> Result) async throws -> Result {
        let path = "/tmp/tarmac-\(UInt64.random(in: 0 ... .max)).pem"
        let descriptor = FileDescriptor.openForWriting(path)
        _ = Array(text.utf8).withUnsafeBytes { FileDescriptor.write(descriptor, from: $0, at: 0) }
        FileDescriptor.closeFile(descriptor)
        defer { FileDescriptor.removeFile(path) }
        return try await body(path)
    }
}
#endif
