package import MovieDomain

/// Checks the contract of `FilmLinkRepository`, starting with an empty one.
///
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(of links: some FilmLinkRepository) async throws -> [String] {
    let (kobis, kmdb) = (MovieID("kobis:20228555")!, MovieID("kmdb:K12345")!)
    let (film, another) = (MovieID("tmdb:301")!, MovieID("tmdb:302")!)
    var broken: [String] = []
    func check(_ ids: [MovieID], _ expected: [FilmLink], _ promise: String) async throws {
        let found = try await links.links(of: ids)
        if Set(found) != Set(expected) || found.count != expected.count { broken.append("\(promise): \(found)") }
    }
    func link(_ film: MovieID, _ counterpart: MovieID, _ reason: String = "same title, 2022 in both") -> FilmLink {
        FilmLink(film: film, counterpart: counterpart, reason: reason, linkedAt: Instant(secondsSince1970: 1000))
    }
    try await check([kobis, film], [], "an empty one has none")
    try await check([], [], "of no ids there are none")

    let first = link(kobis, film)
    for _ in 1...2 { try await links.keep(first) }
    for ids in [[kobis], [film], [film, kobis, another], [kobis, kobis]] {
        try await check(ids, [first], "a link is found from both sides, once, \(ids)")
    }
    try await check([another, kmdb], [], "others have none")
    if try await links.link(of: kobis) != first { broken.append("a film has a link") }
    if try await links.link(of: film) != nil { broken.append("a counterpart has no link of its own") }

    let sibling = link(kmdb, film, "same title, 2022 and 2023")
    try await links.keep(sibling)
    for id in [kobis, kmdb, film] {
        try await check([id], [first, sibling], "films of one counterpart are found from \(id)")
    }

    let moved = link(kobis, another, "same title, 2021 and 2022")
    try await links.keep(moved)
    try await check([kobis], [moved], "a film has one counterpart")
    try await check([film], [sibling], "the previous one keeps its others")
    try await check([kmdb, another], [moved, sibling], "several groups are found together")
    return broken
}
