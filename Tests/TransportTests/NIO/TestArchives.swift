#if NIO
import Foundation
import Tarmac
import TarmacCore

/// Archives of PKCS #12 (password `secret`) with what ``TestCertificates`` has for localhost; made with OpenSSL.
enum TestArchives {
    static let whole = decoded(
        """
        MIIETAIBAzCCBAIGCSqGSIb3DQEHAaCCA/MEggPvMIID6zCCAqIGCSqGSIb3DQEHBqCCApMwggKPAgEAMIICiAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBK
        MCkGCSqGSIb3DQEFDDAcBAiB9tFC1aWEHQICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEOwjhpZ3GV4nl9y/iJ43pzqAggIgIkITezZxhzOW+2Ac
        xoiBQaQbtkcu3YIQ7s6JFaw0LN6XtF7WahOi6H9pK/QpV8bWnmSfZNLlN6wKPxX/hsfbg4Jb/KClwrnpe7Co30U2xsScLMVLnRw2pFL+R+Khh9ziGhzk+ZIu
        V/uSQsitfMr6QQKIhsO1T5deEl9SafDR3SZ/PBxzrIPIM0VfoSTN8/DP0loB8XMabV4ZSt0IsA0862/kCigVThdGSetjWTYI0eC9zavIRHrE2F+qH9LVO9mg
        EztkO7zhvNgHcK8QWFGdi5koO3yaGg/NfVVAGWbObPgQdBMBMWoGTjj+PHjSEbeMifOk8T1fNg9u6Z6ohA8osWlarWdOg3QNdxw9UbT0eMHmSmq3+U3iBxk0
        IEE5cnu/MM4vZxKB4aCetM6NqLdfRvunTOeFFT5vuC7WYCLVZLkDSpLXp9ks4o97K4OO7zj02q/HvMzlAEmuwDLFwG/rvy2UvhEMHP3cHZQcnUInAqyEXJQP
        g4ZTFpGJKr7eD19Rm+k3WqE/SIM+vMiykMuoRH5nPZbngepe/yw8mW7bAl7EPQxO3XBnAppuBpFZ4S5U8eJn3W485HpYLaie2d3Q/D0KTYX6YoNAHr/oRh4x
        P4uDuqvN/UGtk0ObzoITW9wbPMIo2LYSDBs0jd0gWBHpFe8SFnXaurNT2frR3tiqzEJdpy6tpGLbGEjw/tPxL5fqIitjl2DjAH2OD3aTK3q+ZzCCAUEGCSqG
        SIb3DQEHAaCCATIEggEuMIIBKjCCASYGCyqGSIb3DQEMCgECoIHvMIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjraaZfErM5qgICCAAwDAYI
        KoZIhvcNAgkFADAdBglghkgBZQMEASoEEMNeZtFf2ltMht4p8/QowCwEgZAkXpqUWmHoPghZwunl/CFyGo8gPggnhXg+o2rmikQFDkwMQso8ds0LryRQUioJ
        dPXq7A3wQHQkmrJKtQn3bfHTjmvg58qBFifvaPTTH0OfnzbdX3FEtTFUqohGPboNg9pzxaPNQaaJxuT9WGBobny9OauvvOExMFWztay5zXjMWyp2KaQwL/69
        8jT66CLAkQIxJTAjBgkqhkiG9w0BCRUxFgQU3z77NSzXY++pUfXpHUj107wdmTcwQTAxMA0GCWCGSAFlAwQCAQUABCAGe/nxqbtlNLEJkK6L+kfjCbkqKPQT
        bDRbsLVapn3h5AQIrxgVXR8SCX8CAggA
        """)

    static let withoutKey = decoded(
        """
        MIIC5wIBAzCCAp0GCSqGSIb3DQEHAaCCAo4EggKKMIIChjCCAoIGCSqGSIb3DQEHBqCCAnMwggJvAgEAMIICaAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBK
        MCkGCSqGSIb3DQEFDDAcBAgn0wFAjMqkaQICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEENARVx2FfC4s2lRthyMdhA6AggIAIrtmOUDgvkQqkdmp
        dPX4/kU9St7LDcLCV9oFtAI22wsA8KipjhuMthSekL4AqSREoiFYXD4+x7PZKmSSdEx7kC3Qy9lvPa9YXo0HBJ1jWQEjJvH1WoC2KGnOR0kfkSFiIlIsY8dI
        x/06UmyEsUuxTI9Rnt7iVXmNNUJHAJeXdzRMLj8bkRT7a+RdryNB91vb44QMCh7sOWW38M4VF+HSCjvx+ruIntvFnDcKx1bBzbkMT6ELCiNs8kGeopmy9Sb5
        AYV7vUO9rkfSlFLjEXZW8uN5ZlNL+ZNwJHr28jSsxD4MeHTaY8ZUQ0mthMYk9HpltaWvwTJ9ga4+Gdth2g9jUAVqK1lGZNTk8jlt4l/0wyKDuTMMZ2mClSKc
        zHP/keLZJxGrRnrICtacV9bmIGz1vPeHGbpCbwQknonPz1eM3I2SA28SbIpzUsw34gLNZdTUzsLnpRefbutX0CErtJ+qmyrCV/UgjuVV0h5e974L9vxrwX0f
        LN/fjCuyjw/zUzegvHftSJqvqSclxmmBPlVKdtkF2d1wr62FNhW/ez7uYI0ja2+nvQyqAMG5jT7WxR33QE4wfEfXHti3+xJf769XE1kC1aSMCCcPreqfkIo8
        GfI5y+3i/jSTxUKBeuOzDu5/AFaUH6/q1km7ECxs9/q77X9+wRlWaooSwKjdR+o3O/gwQTAxMA0GCWCGSAFlAwQCAQUABCAMG8JQLLM0LjgkSdE2ezDy2pR9
        N3nSOQq38HA7gSPO6QQIqkFllDPb/wACAggA
        """)

    static let withoutCertificate = decoded(
        """
        MIIBfgIBAzCCATQGCSqGSIb3DQEHAaCCASUEggEhMIIBHTCCARkGCSqGSIb3DQEHAaCCAQoEggEGMIIBAjCB/wYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZI
        hvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECIRU+uuyyhz0AgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQhXUxdSNMyYyoKhOkqSikogSBkK7r2agZ
        KzLakUHY43TL7tf0t7PYvKK3uGVFhh2UvtJRRvX4BfbhAYA9jU+fZxYEvhgodMKWObUVElCNEE3JhS2g9iJ2D/9i2ZOakLY2C/U7G0lViKyy+X9bRymuGimI
        DlpoikFHpcoGn4DS7piXUtrWJo7wOatyEwcB06MHlxKdtBn8lLcziG85fuyuyyyy3jBBMDEwDQYJYIZIAWUDBAIBBQAEICplJoQLacTNCun1hA6XLj875NwP
        5h9hzWhgCuVdHipTBAgHxWS+wBXI3wICCAA=
        """)

    private static func decoded(_ text: String) -> Bytes { Bytes(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()) }
}
#endif
