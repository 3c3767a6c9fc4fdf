import Foundation
import Tarmac

/// Certificates and their pins as openssl makes them: `openssl x509 -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary`.
struct CertificateSample: Sendable, CustomStringConvertible {
    let name: String
    let der: [UInt8]
    let keyPin: String
    let certificatePin: String

    var description: String { name }

    private init(_ name: String, _ base64: String, key: String, certificate: String) {
        self.name = name
        der = Array(Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data())
        keyPin = key
        certificatePin = certificate
    }

    /// The root of the others, for a P-256 key.
    static let root = CertificateSample(
        "root",
        """
        MIIBfTCCASKgAwIBAgIUcBSKIWWH0a/MJ0jtykEhqLpXZPAwCgYIKoZIzj0EAwIwGzEZMBcGA1UEAwwQVGFybWFjIFRlc3QgUm9vdDAgFw0yMDAxMDEwMDAw
        MDBaGA8yMTIwMDEwMTAwMDAwMFowGzEZMBcGA1UEAwwQVGFybWFjIFRlc3QgUm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFGHuR8FGktC3vyjVu98
        V2xOKwaTfx2YKNu0k8W/WYtUOJIZZvNqQj0zOE3QbqXlCqGLoHsdOXuTcOHPZ+n3Rv+jQjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMB0G
        A1UdDgQWBBQ598WoNtrA0SDyHi73WNFFeXbkwTAKBggqhkjOPQQDAgNJADBGAiEAqLvbX7W5nmdtt2bPNixT315aMx71lvNmUK3Ce8rNZn8CIQDo9PgWwy16
        zU1zvUJvR/lCAhy5QGyga82xFa57H3B7Vw==
        """,
        key: "sha256/k0q3a8iJpOa5KGSuqiRcq+A0LYdGklJi8EzLNQZ1t+o=",
        certificate: "sha256/U/tg5ld6xX5Q7TrIJ0LYkyb6foFEV+yabfJNA5LH4N4=")

    /// Signed by the root; from 2020-01-01 to 2120-01-01.
    static let localhost = CertificateSample(
        "localhost",
        """
        MIIBvTCCAWOgAwIBAgIUIR8n90f5oAYU63AiXMWa5MDgKsYwCgYIKoZIzj0EAwIwGzEZMBcGA1UEAwwQVGFybWFjIFRlc3QgUm9vdDAgFw0yMDAxMDEwMDAw
        MDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHrBSc7kkvI+86e1FRihU75PCsFWW
        MHFPbJ1EyPrYFKG6j8gI9i9qk+AGqjZ0/DogtjSY+5VxZzNiX92hbU7M3KOBiTCBhjAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCQYDVR0TBAIwADAd
        BgNVHSUEFjAUBggrBgEFBQcDAQYIKwYBBQUHAwIwHQYDVR0OBBYEFEegJNPWeEb9cFygd8Eg3yjE9kW3MB8GA1UdIwQYMBaAFDn3xag22sDRIPIeLvdY0UV5
        duTBMAoGCCqGSM49BAMCA0gAMEUCIGBij9dGxqZ2XuGIMz+zohi1gyW/wB8uqp/AiCQbtSvYAiEAphDwTsrWLwRVgFYD/zu6Frb3mYxHMtbTZzRq64CSAig=
        """,
        key: "sha256/z/uV/snqnaVfujXjuIC32VbiC9ayuMhoGMsUMijvFYg=",
        certificate: "sha256/SedMN1n9zdNRwSbbK4GGORgds58NHrY4IWUjbNeF8M8=")

    /// Signed by the root with the key of `localhost`; from 2020-01-01 to 2021-01-01.
    static let expired = CertificateSample(
        "expired",
        """
        MIIBuTCCAV+gAwIBAgIUQhydUtOlpTUwwbPPncr/E2S7TOIwCgYIKoZIzj0EAwIwGzEZMBcGA1UEAwwQVGFybWFjIFRlc3QgUm9vdDAeFw0yMDAxMDEwMDAw
        MDBaFw0yMTAxMDEwMDAwMDBaMBIxEDAOBgNVBAMMB2V4cGlyZWQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQesFJzuSS8j7zp7UVGKFTvk8KwVZYwcU9s
        nUTI+tgUobqPyAj2L2qT4AaqNnT8OiC2NJj7lXFnM2Jf3aFtTszco4GJMIGGMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAJBgNVHRMEAjAAMB0GA1Ud
        JQQWMBQGCCsGAQUFBwMBBggrBgEFBQcDAjAdBgNVHQ4EFgQUR6Ak09Z4Rv1wXKB3wSDfKMT2RbcwHwYDVR0jBBgwFoAUOffFqDbawNEg8h4u91jRRXl25MEw
        CgYIKoZIzj0EAwIDSAAwRQIgOh3wpk/ZtyZTDd+PXxdz/gzVd6Ld3nFC/gEmXRixb2sCIQCXctDQWXZsH1JA1UYFeXMMlWvb25sSK5EFjqFc5VSnsg==
        """,
        key: "sha256/z/uV/snqnaVfujXjuIC32VbiC9ayuMhoGMsUMijvFYg=",
        certificate: "sha256/Rqz/PUvkczmhGs6G4cvWUyJDYtuABnlLYgWipPlQHzI=")

    /// Signed by itself, with an RSA key.
    static let rsa = CertificateSample(
        "rsa",
        """
        MIIDDzCCAfegAwIBAgIUPk67xb8XZ5IszeUHbDE50BH/gBAwDQYJKoZIhvcNAQELBQAwFjEUMBIGA1UEAwwLcnNhLmV4YW1wbGUwIBcNMjYxMTIxMTk1MjMy
        WhgPMjEyNjEwMjgxOTUyMzJaMBYxFDASBgNVBAMMC3JzYS5leGFtcGxlMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAzsLlZ8bzsPBgleyMEhmk
        6lLCpD6i1nqzBIqZACDY/pY8UfcHDEhLjOsZo92a9XgztOyIGwmxljk45okAdhAymmMgQrRTX8WMxYr5qIK0NTiusUtC5xqadweTN9kH5U07q3pB6lyMlbbz
        7nhK9A/J7yNWwY6VCJf6NsZ1PGt4MBZ53eQ/eUGC26qMZ1jzknQrPLXmt3r3FFJAbXGHLcmAFwACaApbSA9KBS6d40TomzQPdSRHeiHNjYaMzrr5craRbkX6
        Jwx4SOKDDxsLKKHccSsEVJ7bUehfpfFCXDZ/lPsJRUGdOCjGe9ggnt++FbefZWo1hBETg7xMBdE07v5caQIDAQABo1MwUTAdBgNVHQ4EFgQUISeb30vbFzI2
        LNLiQnHuh7iKxAIwHwYDVR0jBBgwFoAUISeb30vbFzI2LNLiQnHuh7iKxAIwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAgYDhyxAq8SDb
        X+/+RY8okRpEQEdBCn3cnHyKNDJ5tG9MoaV7Myyjiwv3JuOdr/OKWLf8E/dYTfi7JYPSUdqRLVvo2dNqykRKVVYSSllNTb1HEjgf2Yv5Sxl6hSX+PIIH5Lkc
        bnlhGvsVZhmMiKKS58Zid7twWyiAhawEquhXbMN5RQrVNjvpulDEwnX26qTeFY86QJ7x3rHSAqggVKKFLTpzTIlqO+w4zxal5q0sbxAXGp0M7K+sODhZ6R2r
        PGJCoZ8ghwaphVOAtcNc6TTvL0uJTa2ggzd6uVPrB96EG//LKI4PmAyRPqqHzVFiNu1flXOdyA8rEGn2Rzl+dgIjiw==
        """,
        key: "sha256/dq0R6ccU0iOgHTsVZ2n28kBdQi/FOi9IVwPMT0apByE=",
        certificate: "sha256/GTnrCeupE/ipKkBNjtmfiKpvd7hwRkE5qdCRytrm5PE=")

    /// Signed by itself, with an Ed25519 key, and of version 1: it has no version field.
    static let ed = CertificateSample(
        "ed",
        """
        MIHmMIGZAhRQ8SzrdoW9DL0mYveUDX0kAUl+NjAFBgMrZXAwFTETMBEGA1UEAwwKZWQuZXhhbXBsZTAgFw0yNjExMjExOTUyMzJaGA8yMTI2MTAyODE5NTIz
        MlowFTETMBEGA1UEAwwKZWQuZXhhbXBsZTAqMAUGAytlcAMhAL5o5LfOjT4FsU1lWExHbxXfcCB4ln2RQwPVowxFiMtCMAUGAytlcANBAP+SyDgX0+mHcLnx
        eLAF1J+bPIs1Wp941HFhN/DwwZwnT4p/LZQZRXsyP5sPv4H1ogcTvFHvu5jNMqzf7YCGLQg=
        """,
        key: "sha256/Wvw7KuGGdrwmMCHRrrb0TAgRSterdDg/lPLrNlUVdZ4=",
        certificate: "sha256/WfhwuEaHbopgif2NteUC2jqGf1r4u+SQh0RWxLO6D2M=")

    static let all = [root, localhost, expired, rsa, ed]
}
