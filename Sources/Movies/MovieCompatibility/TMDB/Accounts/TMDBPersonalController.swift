import HTTPServer
import Hummingbird
import Logging
import MovieDomain
import MovieHTTP

/// Handles requests for resources of a client, a user or a guest.
struct TMDBPersonalController: Sendable {
    let signIn: TMDBSignIn
    private let useCases: MovieUseCases
    private let sessions: TMDBSessions
    private let lists: TMDBAccountLists
    private let marks: TMDBMarks

    /// - Parameter upstream: `nil` without a key.
    init(useCases: MovieUseCases, upstream: (any TMDBUpstream)?, numbers: TMDBNumberTable) {
        self.useCases = useCases
        self.sessions = TMDBSessions(useCases: useCases, upstream: upstream)
        self.signIn = TMDBSignIn(sessions: self.sessions)
        self.lists = TMDBAccountLists(useCases: useCases)
        self.marks = TMDBMarks(useCases: useCases, sessions: self.sessions, numbers: numbers)
    }

    /// - Throws: ``TMDBFault``, and the domain's errors.
    func answer(
        _ resource: TMDBPersonalResource, _ parsed: TMDBRequest, _ request: Request, _ context: ServerRequestContext
    ) async throws -> TMDBAnswer {
        switch resource {
        case .keyCheck, .newToken, .login, .newSession, .session, .newGuestSession:
            return try await self.authentication(resource, parsed, request, context)
        case .account:
            let holder = try await self.sessions.holder(of: parsed)
            return try await context.whileClientPresent { TMDBAnswer(try await self.lists.account(of: holder)) }
        case .list(let list):
            let holder = try await self.sessions.holder(of: parsed)
            return try await context.whileClientPresent {
                TMDBAnswer(try await self.lists.list(list, of: holder, parsed))
            }
        case .mark(let list):
            let holder = try await self.sessions.holder(of: parsed)
            let body = try await TMDBBody.read(of: request)
            return try await context.whileClientPresent {
                try await self.marks.mark(list, body, of: holder, parsed)
            }
        case .emptyList:
            _ = try await self.sessions.holder(of: parsed)
            return TMDBAnswer(try TMDBPage.empty(parsed))
        case .guestRatings(let session, let kind):
            return try await context.whileClientPresent {
                try await self.marks.guestRatings(session, of: kind, parsed, self.lists)
            }
        case .rating(let film):
            if request.method == .delete {
                return try await context.whileClientPresent { try await self.marks.unrate(film, parsed) }
            }
            let body = try await TMDBBody.read(of: request)
            return try await context.whileClientPresent { try await self.marks.rate(film, body, parsed) }
        case .states(let film): return try await self.marks.states(film, parsed, context)
        }
    }

    private func authentication(
        _ resource: TMDBPersonalResource, _ parsed: TMDBRequest, _ request: Request, _ context: ServerRequestContext
    ) async throws -> TMDBAnswer {
        let site = self.useCases.authenticator.site
        let absolute = { (target: String) in site.absolute(target, for: request, context) }
        switch resource {
        case .newToken:
            try self.admit(context)
            return try await self.signIn.newToken(parsed, absolute)
        case .newGuestSession: return try await self.sessions.newGuestSession { try self.admit(context) }
        case .login: try self.signIn.login(parsed, try await TMDBBody.read(of: request), absolute)
        case .newSession: return try await self.signIn.newSession(parsed, try await TMDBBody.read(of: request))
        case .session:
            let (answer, failure) = try await self.signIn.endSession(parsed, try await TMDBBody.read(of: request))
            if let failure {
                context.logger.notice(
                    "A session has ended on this server, but possibly not at the source",
                    metadata: ["movie.source": "\(failure.source.rawValue)", "error.type": "\(failure)"])
            }
            return answer
        // `.keyCheck`: the key was accepted already.
        default: return TMDBAnswer(["success": true, "status_code": 1, "status_message": "Success."])
        }
    }

    /// Charges the client's sign-up limit for opening a session.
    ///
    /// - Throws: `Problem` of the kind `too-many-requests`.
    private func admit(_ context: ServerRequestContext) throws {
        try self.useCases.services.newcomers?.admit(context.clientAddress)
    }

    /// Maximum size of the states of a guest's film, in bytes.
    private static let statesLimit = 4096

    /// The states that the request's session appends to a film; `nil` unless requested.
    ///
    /// - Throws: ``TMDBFault`` for an invalid session, and the domain's errors.
    func appendedStates(
        to resource: TMDBResource, _ parsed: TMDBRequest, _ context: ServerRequestContext
    ) async throws -> OrderedJSON? {
        guard case .film(let id) = resource,
            parsed["session_id"] != nil || parsed["guest_session_id"] != nil,
            try parsed.appended().contains(TMDBResource.personalPart)
        else { return nil }
        switch try await self.sessions.caller(of: parsed) {
        case .guest:
            let answer = try await self.marks.states(id, parsed, context)
            guard answer.status == 200, answer.bytes.count <= Self.statesLimit,
                let states = try? JSONReader.document(answer.bytes), case .object = states
            else {
                return ["favorite": false, "rated": false, "watchlist": false]
            }
            return states.removing("id")
        case .session(let holder):
            let film = try await self.marks.film(id)
            return try await self.marks.states(of: film, for: holder, context)
        }
    }
}
