/// The dominant colour of a picture: the mean of its largest cluster of colours.
///
/// A histogram of 4 bits a channel, then k-means with distances in ``OKLab``, then similar clusters are merged, so that
/// a background with a slight gradient wins over a smaller flat area. Deterministic: seeds are the colours with the
/// most pixels and the greatest distance from earlier seeds.
enum DominantColour {
    private static let clusters = 8
    private static let rounds = 8
    /// The distance below which clusters are merged; about five times a just noticeable difference.
    private static let alike: Float = 0.1

    /// The colour of straight sRGB with alpha, 8 bits each, as `#rrggbb`, lower case.
    ///
    /// Ignores pixels with an alpha below 128; a picture without other pixels has `#ffffff`, the page behind it.
    static func encode(rgba: [UInt8]) -> String {
        let bins = Self.histogram(rgba)
        guard !bins.isEmpty else { return "#ffffff" }
        let groups = Self.merged(Self.clustered(bins))
        // Of equal groups, the first one, which has the earlier seed.
        let mean = groups.reduce(groups[0]) { $1.count > $0.count ? $1 : $0 }.mean
        return Self.hex(mean.red, mean.green, mean.blue)
    }

    /// The pixels by the upper four bits of each channel, without empty bins.
    private static func histogram(_ rgba: [UInt8]) -> [ColourCluster] {
        var bins = [ColourCluster](repeating: ColourCluster(), count: 4096)
        for pixel in stride(from: 0, to: rgba.count, by: 4) where rgba[pixel + 3] >= 128 {
            let (red, green, blue) = (rgba[pixel], rgba[pixel + 1], rgba[pixel + 2])
            let bin = Int(red >> 4) << 8 | Int(green >> 4) << 4 | Int(blue >> 4)
            bins[bin].add(red: red, green: green, blue: blue)
        }
        return bins.filter { $0.count > 0 }
    }

    /// The clusters of k-means over the bins, none of them empty.
    private static func clustered(_ bins: [ColourCluster]) -> [ColourCluster] {
        let places = bins.map(\.centre)
        var centres = Self.seeds(bins, places)
        var groups: [ColourCluster] = []
        for _ in 0..<Self.rounds {
            groups = [ColourCluster](repeating: ColourCluster(), count: centres.count)
            for (bin, place) in zip(bins, places) {
                var nearest = 0
                var distance = Float.infinity
                for (index, centre) in centres.enumerated() {
                    let candidate = place.squaredDistance(to: centre)
                    if candidate < distance { (nearest, distance) = (index, candidate) }
                }
                groups[nearest].add(bin)
            }
            groups.removeAll { $0.count == 0 }
            centres = groups.map(\.centre)
        }
        return groups
    }

    /// The fullest bin, then repeatedly the bin with the most pixels times squared distance to the seeds so far.
    private static func seeds(_ bins: [ColourCluster], _ places: [OKLab]) -> [OKLab] {
        var weights = bins.map { Float($0.count) }
        var distances = [Float](repeating: .infinity, count: bins.count)
        var seeds: [OKLab] = []
        while seeds.count < Self.clusters, let heaviest = weights.max(), heaviest > 0 {
            let seed = places[weights.firstIndex(of: heaviest)!]
            seeds.append(seed)
            for index in bins.indices {
                distances[index] = min(distances[index], places[index].squaredDistance(to: seed))
                weights[index] = Float(bins[index].count) * distances[index]
            }
        }
        return seeds
    }

    /// Merges the two nearest clusters while they are similar.
    private static func merged(_ groups: [ColourCluster]) -> [ColourCluster] {
        var groups = groups
        while true {
            let centres = groups.map(\.centre)
            var nearest: (first: Int, second: Int)?
            var distance = Self.alike * Self.alike
            for second in groups.indices {
                for first in 0..<second {
                    let candidate = centres[first].squaredDistance(to: centres[second])
                    if candidate < distance { (nearest, distance) = ((first, second), candidate) }
                }
            }
            guard let nearest else { return groups }
            let second = groups.remove(at: nearest.second)
            groups[nearest.first].add(second)
        }
    }

    private static func hex(_ values: UInt8...) -> String {
        "#" + values.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// A set of pixels: their number and mean colour.
struct ColourCluster {
    /// The sums of red, green and blue, and the number of pixels.
    private var sums = SIMD4<Int>()

    var count: Int { self.sums.w }

    /// The mean of each sRGB value, 0...255. The cluster must not be empty.
    var mean: (red: UInt8, green: UInt8, blue: UInt8) {
        func mean(_ sum: Int) -> UInt8 { UInt8((sum + self.count / 2) / self.count) }
        return (mean(self.sums.x), mean(self.sums.y), mean(self.sums.z))
    }

    var centre: OKLab {
        let mean = self.mean
        return OKLab(red: mean.red, green: mean.green, blue: mean.blue)
    }

    mutating func add(red: UInt8, green: UInt8, blue: UInt8) {
        self.sums &+= SIMD4(Int(red), Int(green), Int(blue), 1)
    }

    mutating func add(_ other: ColourCluster) {
        self.sums &+= other.sums
    }
}
