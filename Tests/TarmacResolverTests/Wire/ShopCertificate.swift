#if Tools
import NIOSSL
import TarmacCore

/// A certificate for the name `shop.example` and no address, valid until 2120; made for these tests with OpenSSL.
enum ShopCertificate {
    static let root = """
        -----BEGIN CERTIFICATE-----
        MIIBhDCCASqgAwIBAgIUdZqpaWmq8doO79MtAe89/hZCEj0wCgYIKoZIzj0EAwIw
        HzEdMBsGA1UEAwwUVGFybWFjIFJlc29sdmVyIFJvb3QwIBcNMjAwMTAxMDAwMDAw
        WhgPMjEyMDAxMDEwMDAwMDBaMB8xHTAbBgNVBAMMFFRhcm1hYyBSZXNvbHZlciBS
        b290MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE5ALRmk3UmBi70uQFCEgYn/TQ
        IDfrmCkCqC2AVelgJRcOyAF2LjnM/NXHR3eZzGrhjghiZ9g37mupm60xzcTXuKNC
        MEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFE0t
        uRFw7+6dilNgSxENXXpyscMDMAoGCCqGSM49BAMCA0gAMEUCIQC0Pzvit4KAuY2U
        2KYObH5fftZ5+3y9HeKiVN+b9nyJ4wIgSFRNeOP+kniQNUxkK12bESjSyFv8Ll2F
        Mh4NkzXGlr0=
        -----END CERTIFICATE-----
        """

    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBrjCCAVOgAwIBAgIUU1Ug82t4YHwaxQYb/6e+rr3w3PEwCgYIKoZIzj0EAwIw
        HzEdMBsGA1UEAwwUVGFybWFjIFJlc29sdmVyIFJvb3QwIBcNMjAwMTAxMDAwMDAw
        WhgPMjEyMDAxMDEwMDAwMDBaMA8xDTALBgNVBAMMBHNob3AwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAAT+OTAugmG5EFV5lXo9XVVhSOOAm2LS4PiQ6/c7odpqSFos
        eBfswWEeX7ehesV13kHXKEEJCJ0S5kq5XMYeA7ldo3sweTAXBgNVHREEEDAOggxz
        aG9wLmV4YW1wbGUwCQYDVR0TBAIwADATBgNVHSUEDDAKBggrBgEFBQcDATAdBgNV
        HQ4EFgQUIxMG5TwwkRQkk2mqZa/7X5Ww2eYwHwYDVR0jBBgwFoAUTS25EXDv7p2K
        U2BLEQ1denKxwwMwCgYIKoZIzj0EAwIDSQAwRgIhAL+hfHepIujHXxM5gbxvYXty
        daYoYziokxZL4mWMwP/bAiEAuWo58DXsXGJHxoC6z0jo6Xp8KVkUA9TW/eXN7Xww
        Vyc=
        -----END CERTIFICATE-----
        """

    static let key = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEICqSein2uWv9SWJ+xxbn/D5Fh67aEFgWuD53QKQwNrV9oAoGCCqGSM49
        AwEHoUQDQgAE/jkwLoJhuRBVeZV6PV1VYUjjgJti0uD4kOv3O6HaakhaLHgX7MFh
        Hl+3oXrFdd5B1yhBCQidEuZKuVzGHgO5XQ==
        -----END EC PRIVATE KEY-----
        """

    /// The key of the certificate, and that of its issuer.
    static let keyPin: Pin = "sha256/cNQTM/fAaojsoeaXdKBjmy/Y8t8VMGvQXBM41pt/16Y=", issuerPin: Pin = "sha256/8N9xv6U73u9FGroU/TAItl3n3hKwgyIGsGVsL648oVI="
    static let otherPin: Pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    static func server() throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
        tls.applicationProtocols = ["h2", "http/1.1"]
        return tls
    }
}
#endif
