public import MovieDomain

/// What every `SessionRepository` promises, to be run against one whose clock stands before 1,000 seconds.
///
/// - Returns: What is broken, in sentences; empty when nothing is.
public func checkContract(of sessions: some SessionRepository) async throws -> [String] {
    var broken: [String] = []
    func check(_ isKept: Bool, _ promise: String) {
        if !isKept { broken.append(promise) }
    }
    let (before, end) = (Instant(secondsSince1970: 1999), Instant(secondsSince1970: 2000))
    let upstream = UpstreamSession(source: .tmdb, secret: "s3cret \"é\" 🔑", accountID: "548")
    let account = Session(owner: .account(.tmdb, id: "548"), upstream: upstream, expiresAt: end)
    let device = Session(owner: .device(id: "d-1"), upstream: nil, expiresAt: end)
    let tokens = (account: AccessToken(), device: AccessToken(), unknown: AccessToken())

    try await sessions.keep(account, under: tokens.account)
    try await sessions.keep(device, under: tokens.device)
    check(try await sessions.session(under: tokens.account, at: before) == account, "a session is found, all of it")
    check(try await sessions.session(under: tokens.device, at: before) == device, "a device's too")
    check(try await sessions.session(under: tokens.unknown, at: before) == nil, "nothing is under another token")
    check(try await sessions.session(under: tokens.account, at: end) == nil, "when it is over, it is none")

    check(try await sessions.end(tokens.unknown, at: before) == nil, "ending what is not there has no effect")
    check(try await sessions.end(tokens.account, at: before) == account, "ending says what it was")
    check(try await sessions.end(tokens.account, at: before) == nil, "once")
    check(try await sessions.session(under: tokens.account, at: before) == nil, "what was ended is none")
    check(try await sessions.session(under: tokens.device, at: before) == device, "others go on")
    check(try await sessions.end(tokens.device, at: end) == nil, "what had expired was nothing any more")
    check(try await sessions.session(under: tokens.device, at: before) == nil, "and is ended all the same")

    let renewed = Session(owner: device.owner, upstream: nil, expiresAt: Instant(secondsSince1970: 3000))
    try await sessions.keep(device, under: tokens.unknown)
    try await sessions.keep(renewed, under: tokens.unknown)
    check(try await sessions.session(under: tokens.unknown, at: end) == renewed, "the later of two under a token holds")
    return broken
}
