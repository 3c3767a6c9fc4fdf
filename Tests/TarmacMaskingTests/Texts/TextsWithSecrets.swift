/// Texts as servers, tools and libraries write them, each with a secret between « and ». `⏎` is a line feed.
enum TextsWithSecrets {
    static let all = (errors + logs + documents + addresses + commands + connections + nested)

    private static let errors = lines(
        #"""
        Login failed for user 'ann' with password '«hunter2»', token=«kT9mQ4wz»
        Authentication failed: password: «Tr0ub4dor&3»
        Access denied for password = «Tr0ub4dor»
        The request could not be signed: secret='«bQ8!x;y,z7»'
        Invalid value for apiKey="«71b2 9ce0 ff»"
        Wrong client_secret: «3f9d81c27ab» (status 401)
        unauthorized: token «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U» has expired
        Could not refresh: refresh_token=«1//0gAbCdEfGhIjKlMnOpQrStUvWxYz0123456789»
        error: invalid_grant, code=«4/0AX4XfWh9ab», redirect_uri=https://app.example
        The session_id «» is not valid: session_id=«c81e728d9d4c2f63»
        NSLocalizedDescription = "no route"; Authorization = "Custom «9d8f7c6b5a»";
        Optional(["password": "«hunter2hunter2»", "user": "ann"])
        LoginRequest(user: "ann", password: "«correct horse»", remember: true)
        LoginRequest(user: "ann", password: Optional("«correct horse»"), remember: true)
        KeyError: {'api_key': '«a81bc81b-dead-4e5d»'}
        TypeError at {user: 'ann', password: '«s3cr3t»'}
        #<User name: "ann", encrypted_password: "«$2a$10$N9qo8uLOickgx2ZMRZoMye»">
        Parameters: {"user"=>"ann", "password"=>"«letmein99»"}
        array('user' => 'ann', 'password' => '«letmein99»')
        User{name=ann, password=«letmein99», age=7}
        {Name:ann Password:«letmein99» Age:7}
        Bad credentials for ann, pin=«48213377»
        Card «4111 1111 1111 1111» was declined
        invalid header value: Authorization: Bearer «7f3a9c2e4b5d»
        Key «sk_live_4eC39HqLyjWDarjtT1zdp7dc» has been revoked
        Incorrect API key provided: «sk-proj-aB3dE5fG7hI9jK1lM3nO5pQ7». You can find your key at https://platform.example
        The AWS Access Key Id «AKIAIOSFODNN7EXAMPLE» does not exist in our records
        AuthorizationHeader=Basic «YW5uOmh1bnRlcjI=» was refused
        password is «» wrong; passwd=«Zx81-9,tail»
        bad signature: expected signature=«9f86d081884c7d65», got nothing
        otp = «993184»
        Your access token («ghp_16C7e42F292c6912E7710c838347Ae178B4a») was rejected
        The access token '«Kq9ZvLp77xWm»' has expired
        The provided API key («Kq9ZvLp77xWm») is not valid
        Token "«Kq9ZvLp77xWm»" is invalid
        API Key: «Kq9ZvLp77»
        Card number: «1234567»
        您的密码：«hunter2» 错误
        用户名：anna，密码：«hunter2»。
        {:password=>"«hunter2»", :user=>"ann"}
        {:user => 'ann', :password => '«hunter2»'}
        (key: "token", value: "«hunter2»")
        HTTPField(name: "X-Api-Key", value: "«hunter2»")
        HeaderDict({'apikey': b"«hunter2»"})
        @"token" : @"«hunter2»"
        {"pass\u0077ord":"«hunter2»"}
        {"\u5bc6\u7801":"«hunter2»"}
        headers={Authorization=[Bearer «Kq9ZvLp77x»], Accept=[*/*]}
        AuthorizationToken   : «Kq9ZvLp77x»
        Field "token" has the value "«»", but token: "«7f3a\"quoted9»" is not allowed
        """#)

    private static let logs = lines(
        #"""
        2024-01-31T12:00:00Z INFO login user=ann password=«hunter2» ip=10.0.0.1
        2024-01-31T12:00:00Z DEBUG > Authorization: Custom «abc def»
        DEBUG [http] headers: Authorization: ApiKey «id9:8sd7f6»
            Authorization: Custom «abcdef»
        GET /x HTTP/1.1⏎Host: a.example⏎Authorization: Negotiate «YIIJvwYGKwYBBQUCoIIJszCCCa+gJD»⏎Accept: */*
        GET /x HTTP/1.1⏎Authorization: NTLM «TlRMTVNTUAADAAAAGAAYAH4AAAAYABgAlgAAAA==»
        > GET /x HTTP/1.1⏎> X-Api-Key: «my key with blanks»⏎> Accept: */*
        Authorization: Custom⏎  «abcdef»⏎Host: a.example
        Authorization: Custom «abcdef»,⏎     «ghijkl»⏎Host: a.example
        Authorization: Digest username="ann", realm="r", uri="/", response="«6629fae49393a05397450978507c4ef1»"
        sending Digest username="ann", realm="r", uri="/", response="«6629fae49393a05397450978507c4ef1»"
        sending HOBA result="«AAAAbase64urlkid.9876zyx.signature»"
        retrying with Token «9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b»
        retrying with Token token="«9944b09199c62bcf»"
        level=debug msg="auth ok" token=«9944b09199c62bcf» user=ann
        time=12:00 level=info msg="got password=«hunter2» from form"
        [ann] Set-Cookie: sid=«s%3AabcdEFGH1234»; Path=/; HttpOnly
        cookie: theme=dark; session=«9f86d081884c7d65»
        signing with AWS4-HMAC-SHA256 Credential=«AKIAIOSFODNN7EXAMPLE/20130524», SignedHeaders=host, Signature=«fe5f80f77d5fa3be»
        signing with Hawk id="dh37fgj492je", ts="1353832234", nonce="j4h3g2", mac="«6R4rV5iE+NPoym+WwjeHzjAGXUtLNIxm»"
        auth: SSWS «00QCjAl4MlV-WPXM8cuwsqIfS1mFjjvs»
        auth: GenieKey «eb243592-faa2-4ba2-a551q»
        auth: DPoP «Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp»
        auth: SharedKey myaccount:«ctzMq410TV3wS7upTBcunJTDLEJwMAZuFPfr0mrrA08=»
        auth: OAuth «ya29.a0AfH6SMBx9876543210»
        auth: Bot «MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs»
        X-Vault-Token: «hvs.CAESIJ1234567890abcdefghijk»
        proxy said: Proxy-Authorization: Basic «dXNlcjpwYXNz» is not accepted
        params: token=«ab,cd;ef(gh)» page=2
        params: token=«ab[cd]{ef}'gh» page=2
        request body: grant_type=password&username=ann&password=«p%26w%23x»
        I/OkHttp: api_key: «0123456789abcdef»
        warn: JWT «eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhIjoxfQ.c2lnbmF0dXJl» malformed
        info: using secret_key_base «» secret_key_base: «d2a8f5c7e91b4460»
        """#)

    private static let documents = lines(
        #"""
        <password>«hunter2»</password>
        <Password xmlns="urn:x">«hunter two»</Password>
        <wsse:Password Type="http://docs.example/#PasswordText">«hunter2»</wsse:Password>
        <soap:Fault><faultstring>bad</faultstring><detail><auth:token>«9f86d081»</auth:token></detail></soap:Fault>
        <login user="ann" password="«hunter2»"/>
        <login user='ann' password='«hunter2»'/>
        <password><![CDATA[«hunter<2»]]></password>
        <credentials><user>ann</user><value>«hunter2»</value></credentials>
        <input type="hidden" name="csrf_token" value="«9f86d081884c»">
        <input value="«9f86d081884c»" type="hidden" name="authenticity_token">
        <meta name="csrf-token" content="«9f86d081884c»">
        <add key="ApiKey" value="«9f86d081884c»" />
        <property name="password" value="«hunter2»"/>
        <a href="/reset?token=«9f86d081884c»&amp;u=7">reset</a>
        <a href="/reset?u=7&amp;token=«9f86d081884c»">reset</a>
        <pre>{&quot;password&quot;:&quot;«hunter2»&quot;}</pre>
        <script>window.config = {apiKey: "«AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe»"}</script>
        <script>var token = '«9f86d081884c»';</script>
        password: «hunter2»⏎user: ann
          password: «correct horse battery»⏎  user: ann
        db:⏎  password: "«hunter2»"⏎  host: localhost
        DB_PASSWORD=«hunter2»⏎DB_HOST=localhost
        export AWS_SECRET_ACCESS_KEY=«wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»
        [default]⏎aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY»
        machine a.example login ann password «hunter2x»
        -----BEGIN RSA PRIVATE KEY-----⏎«MIIEpAIBAAKCAQEA»⏎-----END RSA PRIVATE KEY-----
        spring.datasource.password=«hunter2»
        <string name="api_secret">«hunter2hunter2»</string>
        <key>password</key><string>«hunter2»</string>
        <saml:Assertion ID="_1">«PHNhbWw+»</saml:Assertion>
        """#)

    private static let addresses = lines(
        #"""
        GET https://a.example/x?token=«ab,cd» failed
        GET https://a.example/x?token=«ab;cd»&page=2 failed
        GET https://a.example/x?token=«ab(cd)»&page=2 failed
        GET https://a.example/x?token=«ab[cd]»&page=2 failed
        GET https://a.example/x?token=«ab'cd»&page=2 failed
        GET https://a.example/x?token=«ab{cd}»&page=2 failed
        GET https://a.example/x?token=«ab%26cd»&page=2 failed
        GET https://a.example/x?token=«ab%23cd»&page=2 failed
        Get "https://a.example/x?api_key=«9f86d081»": dial tcp: lookup a.example: no such host
        HTTPSConnectionPool(host='a.example', port=443): Max retries exceeded with url: /x?api_key=«9f86d081» (Caused by x)
        redirect to https://a.example/cb#access_token=«9f86d081»&state=1
        redirect to https://a.example/cb?next=https%3A%2F%2Fb.example%2F%3Ftoken%3D«9f86d081»%26n%3D1
        redirect to https://a.example/cb?next=https%253A%252F%252Fb.example%252F%253Ftoken%253D«9f86d081»%2526n%253D1
        https://ann:«hunter2»@a.example/x was not found
        https://s3.example/b/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=«AKIDEXAMPLE%2F2015»&X-Amz-Signature=«fe5f80f77d5f»
        https://acct.blob.example/c/b?sv=2020-08-04&sr=b&sig=«Z%2FRHIX5Xcg0Mq2rqI3OlWTjEg2tYkboXr1P9ZUXDtkk%3D»&se=2024
        NSErrorFailingURLStringKey=https://a.example/x?access_token=«9f86d081», NSLocalizedDescription=offline
        NSURLErrorDomain Code=-1001 UserInfo={NSErrorFailingURLKey=https://a.example/x?sig=«9f86d081»}
        /a;jsessionid=«0A1B2C3D4E»?x=1
        Location: /reset/?code=«4f9a-21bc-77»&lang=en
        wss://a.example/socket?ticket=1&auth=«9f86d081»
        Link: <https://a.example/x?access_token=«9f86d081»>; rel="next"
        https://hooks.slack.com/services/«T00000000/B00000000/XXXXXXXX24charsXXXXXXXX» is gone
        https://a.example/x?q=%7B%22token%22%3A%22«9f86d081»%22%7D
        payload=%7B%22token%22%3A%22«9f86d081»%22%7D&x=1
        payload=%7b%22user%22%3a%22ann%22%2c%22password%22%3a%22«hunter2»%22%7d
        """#)

    private static let commands = lines(
        #"""
        curl -u ann:«hunter2» https://a.example/x
        curl -u 'ann:«hunter 2»' https://a.example/x
        curl --user ann:«hunter2» https://a.example/x
        curl --proxy-user "ann:«hunter2»" https://a.example/x
        curl -H "Authorization: Custom «abc def»" https://a.example
        curl -H 'X-Api-Key: «abc def»' https://a.example
        curl --header "PRIVATE-TOKEN: «abcdef»" https://a.example
        curl -b 'session=«9f86d081»; theme=dark' https://a.example
        curl -d 'user=ann&password=«hunter2»' https://a.example
        curl -d '{"user":"ann","password":"«hunter2»"}' https://a.example
        curl -d "{\"user\":\"ann\",\"password\":\"«hunter2»\"}" https://a.example
        tool login --user ann --password «hunter2»
        tool login --password "«hunter two»" --verbose
        tool login --password=«hunter2» --verbose
        tool deploy --api-key «9f86d081» --region eu
        tool deploy --access-token='«9f86d081»'
        mysql -u root -p«hunter2» shop
        sshpass -p «hunter2» ssh ann@a.example
        PGPASSWORD=«hunter2» psql -h localhost
        docker login -u ann --password-stdin < x; TOKEN=«9f86d081» make
        http POST a.example Authorization:"Bearer «9f86d081ab»"
        docker login -u ann -p «hunter2» registry.example
        redis-cli -h a.example -a «hunter2» ping
        """#)

    private static let connections = lines(
        #"""
        could not connect to postgres://ann:«hunter2»@db.example:5432/shop
        could not connect to mongodb+srv://ann:«p%40ss»@c0.example/shop?retryWrites=true
        could not connect to redis://:«hunter2»@cache.example:6379/0
        could not connect to amqp://guest:«guest99»@mq.example/
        Server=db;Database=shop;User Id=sa;Password=«hunter2»;Encrypt=true
        Server=db;Password=«hunter2»
        Data Source=db;Initial Catalog=shop;Pwd=«hun,ter2»;User ID=sa
        AccountName=a;AccountKey=«Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr==»;EndpointSuffix=x
        Endpoint=sb://x.example/;SharedAccessKeyName=Root;SharedAccessKey=«abcDEF123+/=»
        host=db port=5432 user=ann password=«hunter2» dbname=shop
        jdbc:mysql://db/shop?user=ann&password=«hunter2»
        jdbc:oracle:thin:scott/«tiger99»@//db:1521/x
        dsn root:«hunter2»@tcp(127.0.0.1:3306)/shop
        smtp://ann:«hunter2»@mail.example:587
        InstrumentationKey=00000000-0000;ApiKey=«9f86d081»;x=y
        {"url":"https:\/\/«ann:hunter2»@a.example\/x","state":"down"
        https://a.example/?data=%257B%2522password%2522%253A%2522«hunter2»%2522%257D&x=1
        """#)

    private static let nested = lines(
        #"""
        {"body":"{\"password\":\"«hunter2»\"}"}
        {"body":"{\"a\":{\"password\":\"«hunter2»\",\"b\":1}}"}
        {"a":"{\"b\":\"{\\\"token\\\":\\\"«9f86d081»\\\"}\"}"}
        {"error":{"message":"Login failed: password=«hunter2»"}}
        {"error":"bad header Authorization: Bearer «9f86d081ab»"}
        {"url":"https://a.example/?access_token=«9f86d081»"}
        {"log":"curl -u ann:«hunter2» https://a.example"}
        {"form":"user=ann&password=«hunter2»"}
        {"xml":"<password>«hunter2»</password>"}
        data: {"token":"«9f86d081»"}⏎⏎data: {"token":"«77ab99cc»"}
        {"user":"ann","password":"«hunter2»","cut":"her
        {"message":"{\"user\":\"ann\",\"secret\":\"«abc\\\"def»\"}"}
        message=%7B%22body%22%3A%22%7B%5C%22token%5C%22%3A%5C%22«9f86d081»%5C%22%7D%22%7D
        request {"headers":{"Authorization":"Custom «abcdef»"},"x":1} failed
        {"db":"postgres://u:«hunter2»@db/x"}
        ["Authorization: Custom «abcdef»","Accept: */*"]
        """#)

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { line in String(line.map { $0 == "⏎" ? "\n" : $0 }) }
    }
}

extension String {
    /// The text without the marks, and the secrets that are between them.
    var unmarked: (text: String, secrets: [String]) {
        var text = "", secrets: [String] = []
        for (index, part) in split(separator: "«", omittingEmptySubsequences: false).enumerated() {
            let halves = part.split(separator: "»", maxSplits: 1, omittingEmptySubsequences: false)
            if index > 0, halves.count == 2, !halves[0].isEmpty { secrets.append(String(halves[0])) }
            text += halves.joined()
        }
        return (text, secrets)
    }

}
