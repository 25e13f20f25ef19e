-- The sample order book: schema, the four orders that the lesson names, and invented ones.
-- Days are ISO dates, amounts are in the order's currency, a NULL day has not come yet.

CREATE TABLE orders (
    order_id     TEXT PRIMARY KEY,
    customer_id  TEXT,
    status       TEXT NOT NULL CHECK (status IN ('processing', 'shipped', 'delivered', 'cancelled', 'returned')),
    ordered_on   TEXT NOT NULL,
    shipped_on   TEXT,
    delivered_on TEXT,
    shipping_fee REAL NOT NULL,
    total        REAL NOT NULL,
    currency     TEXT NOT NULL
);

CREATE TABLE order_items (
    order_id   TEXT NOT NULL REFERENCES orders,
    line       INTEGER NOT NULL,
    product    TEXT NOT NULL,
    quantity   INTEGER NOT NULL,
    unit_price REAL NOT NULL,
    PRIMARY KEY (order_id, line)
);

-- T-80008's own order: every field as the lesson prints it.
INSERT INTO orders VALUES ('LK-581106', 'C-81265', 'shipped', '2026-10-01', '2026-10-05', NULL, 0.0, 899.0, 'CAD');
INSERT INTO order_items VALUES ('LK-581106', 1, 'garden shed', 1, 899.0);

-- Mrs Okafor's order, which T-80001 asks for. From the lesson: owner, product, shipped on 2026-10-02, 899 CAD.
-- Invented: the day it was ordered, and that shipping was free.
INSERT INTO orders VALUES ('LK-615204', 'C-38852', 'shipped', '2026-09-29', '2026-10-02', NULL, 0.0, 899.0, 'CAD');
INSERT INTO order_items VALUES ('LK-615204', 1, 'garden shed', 1, 899.0);

-- The exercise's order. From the lesson: its owner. Invented: all else.
INSERT INTO orders VALUES ('LK-428830', 'C-44702', 'delivered', '2026-09-14', '2026-09-16', '2026-09-21', 12.5, 161.5, 'CAD');
INSERT INTO order_items VALUES ('LK-428830', 1, 'hedge trimmer', 1, 149.0);

-- The order of the lesson's last question. From the lesson: that it is not the asker's. Invented: all else.
INSERT INTO orders VALUES ('LK-830215', 'C-62190', 'processing', '2026-10-06', NULL, NULL, 0.0, 1249.0, 'CAD');
INSERT INTO order_items VALUES ('LK-830215', 1, 'garden bench', 2, 349.5);
INSERT INTO order_items VALUES ('LK-830215', 2, 'patio table', 1, 550.0);

-- From here on invented sample data, all of it: various customers and states, the last order without an owner.

INSERT INTO orders VALUES ('LK-439563', 'C-20417', 'delivered', '2026-08-12', '2026-08-14', '2026-08-16', 24.0, 141.75, 'CAD');
INSERT INTO order_items VALUES ('LK-439563', 1, 'toolbox', 1, 84.5);
INSERT INTO order_items VALUES ('LK-439563', 2, 'bird feeder', 1, 33.25);
INSERT INTO orders VALUES ('LK-160816', 'C-98373', 'returned', '2026-09-30', '2026-10-03', '2026-10-06', 12.5, 97.0, 'CAD');
INSERT INTO order_items VALUES ('LK-160816', 1, 'toolbox', 1, 84.5);
INSERT INTO orders VALUES ('LK-538485', 'C-88930', 'shipped', '2026-08-07', '2026-08-08', NULL, 0.0, 66.5, 'CAD');
INSERT INTO order_items VALUES ('LK-538485', 1, 'bird feeder', 2, 33.25);
INSERT INTO orders VALUES ('LK-967017', 'C-73364', 'cancelled', '2026-08-10', NULL, NULL, 0.0, 505.0, 'CAD');
INSERT INTO order_items VALUES ('LK-967017', 1, 'rain barrel', 3, 119.0);
INSERT INTO order_items VALUES ('LK-967017', 2, 'compost bin', 2, 74.0);
INSERT INTO orders VALUES ('LK-331821', 'C-20417', 'returned', '2026-09-07', '2026-09-08', '2026-09-12', 24.0, 120.0, 'CAD');
INSERT INTO order_items VALUES ('LK-331821', 1, 'step ladder', 1, 96.0);
INSERT INTO orders VALUES ('LK-223514', 'C-73364', 'delivered', '2026-08-22', '2026-08-25', '2026-08-28', 24.0, 277.5, 'CAD');
INSERT INTO order_items VALUES ('LK-223514', 1, 'toolbox', 3, 84.5);
INSERT INTO orders VALUES ('LK-769949', 'C-44702', 'shipped', '2026-08-26', '2026-08-27', NULL, 24.0, 1095.5, 'CAD');
INSERT INTO order_items VALUES ('LK-769949', 1, 'workbench', 3, 329.0);
INSERT INTO order_items VALUES ('LK-769949', 2, 'toolbox', 1, 84.5);
INSERT INTO orders VALUES ('LK-315963', 'C-27731', 'delivered', '2026-09-15', '2026-09-18', '2026-09-23', 24.0, 422.0, 'CAD');
INSERT INTO order_items VALUES ('LK-315963', 1, 'cordless drill', 2, 199.0);
INSERT INTO orders VALUES ('LK-575198', 'C-38852', 'processing', '2026-08-22', NULL, NULL, 0.0, 329.0, 'CAD');
INSERT INTO order_items VALUES ('LK-575198', 1, 'workbench', 1, 329.0);
INSERT INTO orders VALUES ('LK-702326', 'C-81265', 'shipped', '2026-09-05', '2026-09-07', NULL, 0.0, 384.5, 'CAD');
INSERT INTO order_items VALUES ('LK-702326', 1, 'workbench', 1, 329.0);
INSERT INTO order_items VALUES ('LK-702326', 2, 'work gloves', 3, 18.5);
INSERT INTO orders VALUES ('LK-223800', 'C-51908', 'delivered', '2026-08-29', '2026-08-30', '2026-09-03', 12.5, 290.5, 'CAD');
INSERT INTO order_items VALUES ('LK-223800', 1, 'wheelbarrow', 2, 139.0);
INSERT INTO orders VALUES ('LK-141111', 'C-98373', 'cancelled', '2026-09-20', NULL, NULL, 9.95, 94.45, 'CAD');
INSERT INTO order_items VALUES ('LK-141111', 1, 'toolbox', 1, 84.5);
INSERT INTO orders VALUES ('LK-723241', 'C-27731', 'returned', '2026-09-09', '2026-09-11', '2026-09-13', 0.0, 196.9, 'CAD');
INSERT INTO order_items VALUES ('LK-723241', 1, 'toolbox', 2, 84.5);
INSERT INTO order_items VALUES ('LK-723241', 2, 'leaf rake', 1, 27.9);
INSERT INTO orders VALUES ('LK-866676', 'C-81265', 'delivered', '2026-09-13', '2026-09-16', '2026-09-21', 9.95, 65.75, 'CAD');
INSERT INTO order_items VALUES ('LK-866676', 1, 'leaf rake', 2, 27.9);
INSERT INTO orders VALUES ('LK-123658', 'C-27731', 'shipped', '2026-08-25', '2026-08-26', NULL, 0.0, 169.0, 'CAD');
INSERT INTO order_items VALUES ('LK-123658', 1, 'toolbox', 2, 84.5);
INSERT INTO orders VALUES ('LK-328807', 'C-81265', 'delivered', '2026-08-11', '2026-08-14', '2026-08-17', 0.0, 521.0, 'CAD');
INSERT INTO order_items VALUES ('LK-328807', 1, 'step ladder', 2, 96.0);
INSERT INTO order_items VALUES ('LK-328807', 2, 'workbench', 1, 329.0);
INSERT INTO orders VALUES ('LK-571007', 'C-10552', 'processing', '2026-09-07', NULL, NULL, 9.95, 297.95, 'CAD');
INSERT INTO order_items VALUES ('LK-571007', 1, 'step ladder', 3, 96.0);
INSERT INTO orders VALUES ('LK-840710', 'C-10552', 'shipped', '2026-08-25', '2026-08-28', NULL, 0.0, 42.75, 'CAD');
INSERT INTO order_items VALUES ('LK-840710', 1, 'garden hose', 1, 42.75);
INSERT INTO orders VALUES ('LK-284777', 'C-88930', 'delivered', '2026-08-17', '2026-08-20', '2026-08-23', 9.95, 385.45, 'CAD');
INSERT INTO order_items VALUES ('LK-284777', 1, 'rain barrel', 3, 119.0);
INSERT INTO order_items VALUES ('LK-284777', 2, 'work gloves', 1, 18.5);
INSERT INTO orders VALUES ('LK-395625', 'C-20417', 'cancelled', '2026-08-12', NULL, NULL, 24.0, 621.0, 'CAD');
INSERT INTO order_items VALUES ('LK-395625', 1, 'cordless drill', 3, 199.0);
INSERT INTO orders VALUES ('LK-434088', NULL, 'returned', '2026-09-16', '2026-09-19', '2026-09-25', 12.5, 50.5, 'CAD');
INSERT INTO order_items VALUES ('LK-434088', 1, 'snow shovel', 1, 38.0);
