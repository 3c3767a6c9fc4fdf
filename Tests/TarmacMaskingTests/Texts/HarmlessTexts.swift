/// Texts as servers, tools and libraries write them, in which nothing is secret. `⏎` is a line feed.
enum HarmlessTexts {
    static let all = (sentences + logs + documents + addresses + commands + numbers)

    private static let sentences = lines(
        #"""
        The password is wrong. Try again.
        Invalid token: unexpected end of input
        unexpected token '<' at position 0
        Unexpected token: } (line 3)
        password: required
        Password: must contain at least one digit
        password: must be longer than 8 characters
        Your password has expired, choose a new one
        token: expired
        token: missing
        Wrong password: 3 attempts left
        Bearer authentication-is-required
        Bearer authentication is required for this endpoint
        Basic information-about-your-account can be found here
        Basic authentication is deprecated
        The Bearer token was not accepted
        Token based-authentication-is-disabled
        Bearer realm="api", error="invalid_token"
        Digest realm="r", nonce="abc", qop="auth"
        Basic realm="Access to the staging site"
        Negotiate or NTLM authentication is needed
        No API key found in request
        api key: none
        A secret is never shown: see the manual
        Missing header: Authorization
        Missing required parameter: password
        The parameter token is required; token: is empty
        The session has ended: sign in again
        signature: does not match
        Error: the key must not be empty
        code: invalid_grant
        status_code: 404
        code=404 message=not found
        Enter the code that we sent to your phone
        PIN: optional
        The author: Ann Example
        secretary: Bob Example
        keyboard: de_CH
        sort_key=name design=flat
        max_tokens=4096 prompt_tokens=17
        next_page_token=abc123 page=2
        token_type=bearer expires_in=3600
        password_policy=strict has_password=true
        Use the option --password to give a password
        The flags --token and --user exclude each other
        --password requires a value
        Cannot read property 'token' of undefined
        if password == null { return }
        password != confirmation
        let password = null
        The signature of the function is (a: Int, b: Int)
        The passengers: 3 adults, 1 child
        Retry after 30 seconds
        Rate limit: 100 requests per minute
        Could not connect to the server.
        The operation couldn't be completed. (NSURLErrorDomain error -1009.)
        kCFStreamErrorCodeKey=-2102, kCFStreamErrorDomainKey=4
        certificate has expired: CN=a.example, O=Example
        zip code: 10115
        Error code: E1234-5
        promo code: SAVE20
        Order number: 12345
        订单：12345
        key userId not found
        No value associated with key CodingKeys(stringValue: "name", intValue: nil) ("name").
        Duplicate key (a1b2c3d4e5f6)
        let kind = isNew ? token : other1
        (key: "name", value: "Anna")
        """#)

    private static let logs = lines(
        #"""
        2024-01-31T12:00:00Z INFO GET /users/7 200 12ms
        [12:30:45] worker-3: done in 1.2 s
        level=info msg="request finished" status=200 duration=12ms
        GET /v1/items?page=2&limit=50&sort=name HTTP/1.1
        HTTP/1.1 404 Not Found⏎Content-Type: text/html⏎Content-Length: 17
        > Accept: */*⏎> User-Agent: curl/8.5.0
        x-request-id: 550e8400-e29b-41d4-a716-446655440000
        traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
        etag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
        sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
        commit ae50395d1f2e3d4c5b6a79880716253443526170
        at com.example.auth.TokenFilter.doFilter(TokenFilter.java:42)
        at Object.authorize (/app/node_modules/passport/lib/index.js:17:5)
        File "auth.py", line 7, in login
        java.lang.NullPointerException: Cannot invoke "Token.value()" because "token" is null
        goroutine 17 [running]: main.(*Session).Close(0xc000010000)
        thread 'main' panicked at src/session.rs:12:5
        *** Assertion failure in -[Keyboard layout], Keyboard.m:77
        0x00007ff8 libswiftCore.dylib swift_unknownObjectRetain + 42
        cache hit key=/users/7 age=12
        partition_key=2024 sort_key=7 public_key=abc
        retry 2 of 3 after 200ms, reason: timeout
        user_id=77 account_id=12 client_id=web
        ip=10.0.0.1 port=8080 host=a.example
        ratelimit-remaining-tokens: 7200
        password_attempts: 3
        auth_method: oauth2
        token_url: https://a.example/oauth/token
        job re_2024_annual_report_final_version done
        job sk-2024-winter-sale-banner-large uploaded
        npm_config_cache_directory_location is set
        fw_update_2024_device_model_seven started
        hf_dataset_2024_training_split_one loaded
        key-2024-conference-speaker-list-final.pdf
        secret_santa_2024_list_of_participants_in_the_office_party
        build 20240131-120000-main passed
        arn:aws:iam::123456789012:role/app
        i-0abcd1234ef567890 is running
        """#)

    private static let documents = lines(
        #"""
        <html><head><title>404 Not Found</title></head><body>nginx</body></html>
        <p>Your password must have 8 characters.</p>
        <a href="/password/reset">Forgot your password?</a>
        <a href="/docs?page=2&amp;lang=en">docs</a>
        <input type="password" name="password" placeholder="Password">
        <label for="password">Password</label>
        <input name="email" value="ann@a.example">
        <meta name="viewport" content="width=device-width">
        <author>Ann Example</author>
        <design>flat</design>
        <next_page_token/>
        <password/>
        <password></password>
        <faultstring>The token is not valid</faultstring>
        <soap:Fault><faultcode>soap:Client</faultcode><faultstring>bad</faultstring></soap:Fault>
        <Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>
        <error code="404" message="not found"/>
        <key>name</key><string>value</string>
        {"error":"invalid_token","error_description":"The access token expired"}
        {"error":{"code":"ENOENT","message":"no such file"}}
        {"max_tokens":4096,"has_password":true,"next_page_token":"abc"}
        {"body":"{\"name\":\"ann\",\"page\":2}"}
        {"message":"password: required"}
        {"message":"Bearer authentication is required"}
        {"fields":["password","token"]}
        {"author":"Ann","keyboard":"de","passengers":3}
        {"password":null,"token":false}
        {"token_type":"Bearer","expires_in":3600}
        data: {"delta":"hello"}⏎⏎data: [DONE]
        name: ann⏎age: 7⏎city: Bern
        db:⏎  host: localhost⏎  port: 5432
        [section]⏎timeout = 30⏎retries = 3
        a,b,c⏎1,2,3⏎4,5,6
        -----BEGIN CERTIFICATE-----⏎MIIE⏎-----END CERTIFICATE-----
        -----BEGIN PUBLIC KEY-----⏎MIIE⏎-----END PUBLIC KEY-----
        """#)

    private static let addresses = lines(
        #"""
        https://a.example/x?page=2&next_page_token=abc
        https://a.example/@ann/notes
        https://a.example:8080/x/y;v=1?z=2#top
        mailto:ann@a.example?subject=hello
        https://a.example/search?q=what%20is%20a%20password%3F
        https://a.example/search?q=%7B%22name%22%3A%22ann%22%7D
        https://a.example/docs/authentication/bearer-tokens
        https://a.example/tokens/list?sort=asc
        https://a.example/author?name=ann%26bob
        redirect_uri=https%3A%2F%2Fapp.example%2Fcb&state=1
        filter=price%3E10%26color%3Dred
        file:///var/log/app.log
        postgres://db.example:5432/shop
        redis://cache.example:6379/0
        Server=db;Database=shop;Encrypt=true
        Endpoint=sb://x.example/;EntityPath=orders
        host=db port=5432 dbname=shop
        jdbc:mysql://db/shop?useSSL=true
        dial tcp 127.0.0.1:5432: connect: connection refused
        getaddrinfo ENOTFOUND a.example a.example:443
        git@github.example:ann/project.git
        s3://bucket/path/to/object.json
        """#)

    private static let commands = lines(
        #"""
        curl -X POST https://a.example/x
        curl -H 'Accept: application/json' https://a.example
        curl -d 'name=ann&page=2' https://a.example
        curl -u ann https://a.example
        docker run -p 8080:80 -u 1000:1000 nginx
        ssh -p 2222 ann@a.example
        tar -xzf a.tar.gz --directory /tmp
        tool --user ann --verbose
        tool --max-tokens 4096 --sort-key name
        git push -u origin main
        mysql -u root -h localhost shop
        ls -la; cd src; make
        docker run -u www-data:www-data -p 8080:80 nginx
        docker exec -u app:staff web ls
        """#)

    private static let numbers = lines(
        #"""
        order 1234567812345670 was shipped
        order 1000000000000008 was shipped
        tracking 9400110200881234567890
        invoice 7000000000000005 is due
        at 1700000000000 ms
        at 1700000000000000 us
        id 550e8400-e29b-41d4-a716-446655440000
        phone +41 44 123 45 67
        version 1.2.3-beta.4+build.5
        0.1234567890123456
        2024-01-31 12:30:45.123456
        isbn 978-3-16-148410-0
        checksum d41d8cd98f00b204e9800998ecf8427e
        latitude 47.3768866, longitude 8.5416940
        123-456-789 and 12 34 56 78
        """#)

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { line in String(line.map { $0 == "⏎" ? "\n" : $0 }) }
    }
}
