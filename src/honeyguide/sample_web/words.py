"""The words of the sample web: a vocabulary for each topic, and the common English that surrounds it.

Neighbors in `TOPICS` are related topics, and the last is a neighbor of the first. Words that stand in several
topics ("queen", "board", "star") are there on purpose: they are what makes judging a page hard.
"""


def _words(text: str) -> list[str]:
    return text.split()


TOPICS: dict[str, tuple[str, list[str]]] = {
    "bees": (
        "beekeeping hives and honey",
        _words(
            """bee bees hive hives honey queen worker drone swarm comb brood nectar pollen apiary beekeeper
            beekeeping beeswax propolis mite varroa colony forager larva larvae pupa smoker veil frame
            super foundation extractor honeycomb royal jelly stinger venom sting cell capping entrance
            landing skep langstroth nuc nucleus waggle dance scout robbing feeder syrup winter cluster
            ventilation excluder inspection requeen drones mating flight clover linden heather blossom
            pollination pollinator bumblebee mason leafcutter wasp hornet foulbrood nosema wax candle
            mead harvest jar"""
        ),
    ),
    "gardening": (
        "growing vegetables and flowers in a garden",
        _words(
            """garden gardening gardener soil compost seed seeds seedling plant plants planting bed raised
            mulch prune pruning shears spade trowel rake hoe fork weed weeds watering can hose
            greenhouse cold frame frost bulb tuber perennial annual shrub hedge lawn mower rose roses
            tomato lettuce bean beans cabbage carrot onion squash pumpkin herb basil thyme sage border
            trellis climber blossom bloom petal root rootstock graft cutting germination fertilizer
            manure nitrogen potash slug aphid ladybird pollinator orchard apple pear plum harvest hardy
            clay loam peat drainage"""
        ),
    ),
    "mushrooms": (
        "wild mushrooms and fungi",
        _words(
            """mushroom mushrooms fungus fungi mycelium spore spores cap gill gills stem stipe ring volva
            bolete chanterelle morel truffle porcini oyster shiitake agaric amanita russula milkcap
            puffball bracket polypore inkcap hyphae mycorrhiza substrate sawdust log inoculate fruiting
            flush forager foraging basket knife edible poisonous toxic toxin deathcap lookalike
            identification spawn grain agar sterile pore pores tube veil decay rot humus leaf litter
            beech oak birch pine spruce woodland forest autumn damp moss lichen yeast mold key field
            guide dried compost"""
        ),
    ),
    "cheese": (
        "making cheese at home and in the dairy",
        _words(
            """cheese cheeses milk curd curds whey rennet culture starter rind ripening aging cave affinage
            cheesemaker dairy cow goat sheep ewe raw pasteurized cheddar brie camembert gouda parmesan
            gruyere feta ricotta mozzarella halloumi blue roquefort stilton mold bloomy washed brine
            salt salting press pressing wheel wedge crumbly creamy butter cream buttermilk yogurt casein
            lactose lactic acid acidity protein fat cutting stirring draining cheesecloth vat hoop wax
            waxed knife board cracker fondue grating aroma tang nutty pasture grass herd fermentation
            bacteria thermometer"""
        ),
    ),
    "bread": (
        "baking sourdough bread",
        _words(
            """bread loaf loaves dough flour wheat rye spelt sourdough starter levain yeast leaven knead
            kneading gluten crumb crust oven bake baking baker bakery proof proofing ferment
            fermentation hydration fold shaping boule baguette batard ciabatta focaccia brioche bagel
            pretzel roll bun pita naan salt water oil butter milk malt barley grain mill milling stone
            bran germ wholemeal scoring blade banneton basket steam peel sheet tin scale thermometer
            rise rising overnight retard cold autolyse poolish biga discard toast slice crusty sandwich
            pastry croissant honey seeds"""
        ),
    ),
    "coffee": (
        "brewing and roasting coffee",
        _words(
            """coffee espresso bean beans roast roasting roaster grind grinder burr brew brewing brewer
            filter pour kettle press cafe barista crema latte cappuccino macchiato americano cortado
            mocha milk steam froth foam portafilter tamper tamping basket puck extraction shot dose
            ratio bloom aroma acidity body bitter bitterness sweetness caffeine decaf arabica robusta
            cherry washed natural honey processing drying mill parchment plantation farm harvest origin
            blend single cup cupping tasting flavor chocolate nutty fruity cold drip siphon moka pot
            scale water temperature mug saucer"""
        ),
    ),
    "pottery": (
        "throwing and firing pottery",
        _words(
            """pottery potter clay kiln glaze glazing firing wheel throwing centering bowl mug vase plate
            pot jug teapot saucer lid handle spout stoneware earthenware porcelain terracotta bisque
            raku slip slipware engobe sgraffito coil slab pinch wedging trimming footring bat rib sponge
            wire loop tool drying turning greenware cone pyrometer oxidation reduction atmosphere wood
            ash salt celadon tenmoku shino cobalt iron copper oxide feldspar silica kaolin flux crawling
            crazing shivering dunting crackle studio workshop ceramic ceramics ceramicist brush decal
            mold casting plaster"""
        ),
    ),
    "painting": (
        "painting with oils and watercolor",
        _words(
            """painting painter paint paints canvas brush brushes easel palette oil oils acrylic watercolor
            gouache tempera pigment pigments ochre umber sienna cobalt ultramarine cadmium vermilion
            white glaze glazing wash impasto gesso primer varnish turpentine linseed medium sketch
            drawing charcoal pencil portrait landscape still life nude figure perspective composition
            light shadow hue tone value color contrast impressionist cubist abstract baroque fresco
            mural gallery exhibition museum curator studio model frame framed stretcher linen paper
            bristle sable knife layer underpainting plein air"""
        ),
    ),
    "photography": (
        "cameras and taking photographs",
        _words(
            """photography photograph photographs photographer camera cameras lens lenses aperture shutter
            exposure focus autofocus iso sensor film negative darkroom developer fixer enlarger print
            prints tripod flash light lighting softbox portrait landscape macro telephoto wide zoom
            prime bokeh depth field composition frame framing contrast shadow highlight histogram raw
            jpeg pixel pixels megapixel white balance filter polarizer mirror viewfinder mirrorless
            rangefinder medium format grain noise blur bracket panorama timelapse studio model gallery
            exhibition slide scanner editing crop monochrome sepia wildlife"""
        ),
    ),
    "astronomy": (
        "observing stars and planets with a telescope",
        _words(
            """astronomy astronomer telescope star stars planet planets galaxy galaxies nebula moon lunar
            sun solar eclipse orbit comet asteroid meteor constellation orion jupiter saturn mars venus
            mercury neptune uranus supernova pulsar quasar cluster observatory eyepiece refractor
            reflector mirror aperture magnification mount equatorial tracking finder binoculars seeing
            sky night dark magnitude parallax redshift spectrum spectroscopy light year parsec cosmology
            universe dwarf giant binary variable exoplanet transit crater rings satellite zenith horizon
            ecliptic equinox solstice zodiac aurora sensor exposure"""
        ),
    ),
    "weather": (
        "weather forecasts and storms",
        _words(
            """weather forecast forecasting meteorology meteorologist rain rainfall snow hail sleet fog
            mist frost wind winds gust storm storms thunderstorm lightning thunder tornado hurricane
            typhoon cyclone front cold warm pressure barometer isobar anticyclone depression humidity
            dew temperature thermometer hygrometer anemometer gauge radar satellite cloud clouds cumulus
            cirrus stratus nimbus sky horizon jet stream trough ridge monsoon drought flood blizzard
            heatwave chill climate season seasonal sunshine ultraviolet visibility drizzle shower
            showers precipitation model ensemble station balloon squall breeze gale tide"""
        ),
    ),
    "sailing": (
        "sailing boats and yachts",
        _words(
            """sailing sail sails sailor boat boats yacht dinghy keel hull mast boom rudder tiller helm jib
            genoa spinnaker mainsail halyard sheet cleat winch shroud stay rigging rig tack tacking gybe
            windward leeward port starboard bow stern deck cockpit cabin anchor mooring marina harbor
            dock buoy tide current wind breeze gale gust squall knot knots nautical mile chart compass
            sextant navigation skipper crew regatta race racing catamaran trimaran sloop ketch schooner
            cutter reef reefing trim telltale heel capsize lifejacket offshore coastal passage ocean sea
            swell wave waves"""
        ),
    ),
    "fishing": (
        "fishing for trout and salmon",
        _words(
            """fishing fish angler angling rod reel line lure lures bait hook hooks fly flies casting cast
            trout salmon pike perch carp bass cod mackerel eel grayling roach tench river stream lake
            pond sea tide boat net landing float sinker leader tippet knot nymph streamer dry wet hatch
            mayfly caddis midge spawn spawning run pool riffle bank wader waders tackle box spinner
            spoon jig trolling bobber catch release limit license season worm maggot scales fin gill
            barb barbless strike drag spool braided monofilament ice harbor pier current upstream
            downstream"""
        ),
    ),
    "birds": (
        "watching and identifying birds",
        _words(
            """bird birds birding birder birdwatching binoculars feather feathers plumage wing wings beak
            bill nest nesting egg eggs chick fledgling flock migration migratory song call dawn chorus
            robin sparrow finch thrush blackbird wren tit warbler swallow swift owl hawk eagle falcon
            kestrel buzzard heron duck goose swan gull tern plover sandpiper woodpecker crow raven
            magpie jay feeder seed perch hide reserve wetland woodland habitat ringing banding checklist
            field guide species rare vagrant raptor wader songbird juvenile molt roost hover flight
            crest ornithology ornithologist scope"""
        ),
    ),
    "dogs": (
        "training and keeping dogs",
        _words(
            """dog dogs puppy puppies breed breeds breeder kennel leash collar harness bark barking
            training trainer obedience sit stay heel fetch treat treats walk walking terrier spaniel
            retriever shepherd collie poodle beagle hound labrador bulldog mastiff greyhound husky
            dachshund whelping litter pup coat grooming brush shedding paw paws tail ear ears muzzle
            bite crate housebreaking socialization vet vaccination rabies flea tick worming neuter spay
            kibble bone chew toy ball agility show pedigree rescue shelter adoption guide working
            herding scent nose hunting companion"""
        ),
    ),
    "horses": (
        "riding and caring for horses",
        _words(
            """horse horses pony mare stallion gelding foal colt filly rider riding equestrian saddle
            bridle bit reins stirrup girth halter hoof hooves farrier shoe shoeing stable stall barn
            paddock pasture hay oats bran grooming mane tail coat trot canter gallop walk gait dressage
            jumping jumper fence eventing endurance racing race jockey stud thoroughbred arabian breed
            shetland draft carriage harness lunging whip spur spurs trail ride bareback vet colic
            laminitis worming vaccination withers fetlock hock stifle tack trainer training arena mount
            bay chestnut grey herd"""
        ),
    ),
    "cycling": (
        "bicycles and cycling",
        _words(
            """bicycle bicycles bike bikes cycling cyclist rider riding ride pedal pedals crank chain
            cassette sprocket derailleur gear gears shifter brake brakes disc caliper rim wheel wheels
            spoke hub tire tires tube tubeless puncture pump saddle seatpost stem handlebar bar frame
            fork suspension steel carbon titanium aluminum road mountain gravel track touring commuter
            commuting pannier rack lane helmet jersey cleat cadence climb descent sprint peloton
            breakaway stage race racing criterium velodrome tour kilometer power watt trail singletrack
            rear mudguard bell"""
        ),
    ),
    "railways": (
        "steam locomotives and railways",
        _words(
            """railway railways railroad train trains locomotive locomotives steam engine diesel electric
            carriage coach wagon freight passenger station platform track tracks rail rails sleeper
            ballast gauge signal signals semaphore signalbox switch points junction branch line mainline
            tunnel viaduct bridge cutting gradient boiler firebox tender piston cylinder valve gear
            bogie wheel wheels coupling buffer brake vacuum driver fireman guard conductor timetable
            ticket terminus depot shed turntable siding shunting yard express commuter heritage
            preserved narrow tramway tram metro overhead catenary pantograph model steel"""
        ),
    ),
    "clocks": (
        "mechanical clocks and watches",
        _words(
            """clock clocks watch watches horology horologist watchmaker clockmaker escapement balance
            spring mainspring hairspring pendulum gear gears wheel pinion pivot jewel jewels barrel
            crown dial hand hands bezel case lug strap crystal movement caliber winding automatic rotor
            quartz chronograph chronometer tourbillon repeater striking chime bell hour minute second
            tick beat rate regulation regulator accuracy longitude marine mantel longcase grandfather
            cuckoo carriage turret sundial hourglass anchor verge lever pallet fork arbor plate bushing
            oil oiling repair restoration tool loupe brass steel"""
        ),
    ),
    "chess": (
        "chess openings and endgames",
        _words(
            """chess king queen rook bishop knight pawn pawns board piece pieces check checkmate mate
            stalemate castling opening openings middlegame endgame gambit sicilian french caro kann ruy
            lopez english indian defense attack fork pin skewer sacrifice exchange tempo initiative
            zugzwang fianchetto passed isolated doubled file rank diagonal square center development
            combination tactic tactics strategy position positional grandmaster master champion
            championship tournament match round clock blitz rapid bullet rating elo draw resign engine
            notation analysis puzzle study variation line promotion"""
        ),
    ),
}

GENERAL = "general"
"""The topic of pages about nothing in particular; it has no words of its own."""

COMMON = _words(
    """the of and to a in is that it for was on are as with be by at this have from or had not but what all
    were we when there can an your which their said if do will each about how up out them then she many
    some so these would other into has more her two like him see time could no make than first been its
    who now people my made over did down only way find use may water long little very after words called
    just where most know get through back much before go good new write our used me man too any day same
    right look think also around another came come work three word must because does part even place
    well such here take why things help put years different away again off went old number great tell
    men say small every found still between name should home big give air line set own under read last
    never us left end along while might next sound below saw something thought both few those always
    looked show large often together asked house world going want school important until form food keep
    children feet land side without boy once animals life enough took sometimes four head above kind
    began almost live page got earth need far hand high year mother country father let night picture
    being study second soon story since white ever paper hard near sentence better best across during
    today others however sure means knew try told young sun thing whole hear example heard several
    change answer room sea against top turned learn point city play toward five using himself usually
    money seen car morning body upon family later turn move face door cut done group true half red fish
    plants living black eat short united run book gave order open ground cold really table remember tree
    course front space inside early business news report market office service company price sale offer
    contact email phone account member user site search result review rating comment post blog forum
    thread topic reply guide manual version update release download video photo gallery event calendar
    ticket travel hotel street region local national public government policy health doctor hospital
    teacher student university research history culture music movie game sport team player season
    interview author editor copyright terms privacy cookie subscribe newsletter share follow community
    society club association meeting project plan budget report statement law court police election vote
    party"""
)

PLAIN_NAMES = _words(
    """article notes update report story letter review column diary journal gallery archive bulletin index
    list guide summary introduction question answer opinion interview visit weekend friends"""
)

SITE_NAMES = _words(
    """north river stone bright green silver valley market corner summit harvest village meadow bridge
    union central daily weekly modern open first golden quiet grand little"""
)

CALLS = (
    "click here",
    "read more",
    "more",
    "this page",
    "details",
    "full story",
    "see also",
    "link",
    "website",
)

SECTIONS = ("About us", "News", "Articles", "Gallery", "Resources", "Archive", "Guides", "Contact")
